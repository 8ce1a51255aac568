import CCmark
import Synchronization

/// Markdown as the library has read it. Nodes live as long as this does.
struct CmarkDocument: ~Copyable {
    typealias Node = OpaquePointer

    let root: Node

    /// While a parser with extensions runs, the library changes a table that all parsers read.
    private static let oneAtATime = Mutex(())

    init?(_ source: String) {
        guard let root = Self.oneAtATime.withLock({ _ in Self.parse(source) }) else { return nil }
        self.root = root
    }

    deinit {
        cmark_node_free(root)
    }

    static func children(of node: Node) -> some Sequence<Node> {
        sequence(state: cmark_node_first_child(node)) { next in
            defer { next = next.flatMap { cmark_node_next($0) } }
            return next
        }
    }

    static func literal(of node: Node) -> String {
        cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
    }

    private static func parse(_ source: String) -> Node? {
        guard areExtensionsRegistered, let parser = cmark_parser_new(options) else { return nil }
        defer { cmark_parser_free(parser) }
        for name in ["strikethrough", "autolink"] {
            if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
        }
        var source = source
        source.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        return cmark_parser_finish(parser)
    }

    /// Once per process, before the first parser.
    private static let areExtensionsRegistered: Bool = {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }()

    /// One tilde is an approximation more often than it is a line through text.
    private static let options = CMARK_OPT_DEFAULT | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
}

/// Builds the tree of one YAML document, within limits that hold while it is read.
struct YAMLReader {
    enum Limit {
        static let bytes = 1_048_576
        static let depth = 64
        static let aliases = 100
        static let nodes = 10_000
    }

    /// Ends the reading; what is wrong has been reported.
    struct Refused: Error {}

    /// A finding with its place, kept apart from the file's because a file may have to be read again.
    struct Issue {
        var message: String
        var range: Range<Int>
    }

    private struct Anchor {
        var node: YAMLNode
        var nodes: Int
        var height: Int
        var field: String?
        var range: Range<Int>
        var isUsed = false
    }

    private let source: SourceText
    private let bytes: [UInt8]
    /// Values that are known to be wrong, by where they begin.
    private let broken: Set<Int>
    private let events: YAMLEvents
    private var anchors: [String: Anchor] = [:]
    private var aliases = 0
    private var nodes = 0
    private(set) var issues: [Issue] = []

    /// - Parameter bytes: `source`, with what could not be read painted over.
    init(_ bytes: [UInt8], of source: SourceText, broken: Set<Int>) {
        self.source = source
        self.bytes = bytes
        self.broken = broken
        events = YAMLEvents(bytes)
    }

    /// The document's root; nil for a file without any.
    ///
    /// - Throws: `YAMLSyntaxError` where libyaml gives up, `Refused` where a limit does.
    mutating func read() throws -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamStart, .documentEnd: continue
            case .streamEnd:
                reportUnusedAnchors()
                return root
            case .documentStart:
                guard root == nil else {
                    issues.append(Issue(message: "a rules file is one document", range: event.range))
                    throw Refused()
                }
            default: root = try node(event, field: nil, depth: 1).node
            }
        }
    }

    // MARK: - Nodes

    private typealias Built = (node: YAMLNode, nodes: Int, height: Int)

    private mutating func node(_ event: YAMLEvent, field: String?, depth: Int) throws -> Built {
        try count(1, depth: depth, at: event.range)
        if case .alias(let name) = event.kind { return try expand(name, event.range, field: field, depth: depth) }
        var built: Built
        switch event.kind {
        case .sequenceStart: built = try sequence(event, field: field, depth: depth)
        case .mappingStart: built = try mapping(event, field: field, depth: depth)
        case .scalar(let text, let style):
            let scalar = YAMLScalar(text: text, style: style, comment: comment(after: event.range, style))
            built = (YAMLNode(.scalar(scalar), at: event.range), 1, 1)
        default: built = (YAMLNode(.unreadable, at: event.range), 1, 1)
        }
        if broken.contains(event.range.lowerBound) { built.node.content = .unreadable }
        if event.tag != nil {
            report("'!' has a meaning of its own in YAML", field, event.range.prefix(1))
            built.node.content = .unreadable
        }
        if let name = event.anchor {
            anchors[name] = Anchor(
                node: built.node, nodes: built.nodes, height: built.height, field: field, range: event.range)
        }
        return built
    }

    private mutating func sequence(_ start: YAMLEvent, field: String?, depth: Int) throws -> Built {
        var elements: [YAMLNode] = []
        var total: Built = (YAMLNode(.unreadable, at: start.range), 1, 1)
        while true {
            let event = try events.next()
            if case .collectionEnd = event.kind {
                let end = max(elements.last?.range.upperBound ?? 0, isFlow(start) ? event.range.upperBound : 0)
                total.node = YAMLNode(.sequence(elements), at: start.range.extended(to: end))
                return total
            }
            let element = try node(event, field: field, depth: depth + 1)
            elements.append(element.node)
            total.nodes += element.nodes
            total.height = max(total.height, element.height + 1)
        }
    }

    private mutating func mapping(_ start: YAMLEvent, field: String?, depth: Int) throws -> Built {
        var entries: [YAMLEntry] = []
        var seen: [[UInt8]: Range<Int>] = [:]
        var total: Built = (YAMLNode(.unreadable, at: start.range), 1, 1)
        var isTemplate = false
        while true {
            let event = try events.next()
            if case .collectionEnd = event.kind {
                let last = entries.last.map { max($0.value.range.upperBound, $0.keyRange.upperBound) }
                let end = max(last ?? 0, isFlow(start) ? event.range.upperBound : 0)
                total.node = YAMLNode(isTemplate ? .unreadable : .mapping(entries), at: start.range.extended(to: end))
                return total
            }
            let key = try node(event, field: field, depth: depth + 1)
            let name = key.node.keyText
            let value = try node(try events.next(), field: name ?? field, depth: depth + 1)
            total.nodes += key.nodes + value.nodes
            total.height = max(total.height, key.height + 1, value.height + 1)
            guard let name else {
                if beginsTemplate(start.range.lowerBound) {
                    if !isTemplate { report("'{{ … }}' without quotes is a map to YAML", field, start.range.prefix(2)) }
                    isTemplate = true
                } else if case .unreadable = key.node.content {
                } else {
                    issues.append(Issue(message: "a key has to be a word", range: key.node.range))
                }
                continue
            }
            if let first = seen[Array(name.utf8)] {
                let line = source.line(at: first.lowerBound) + 1
                issues.append(Issue(message: "'\(name)' is there twice, first in line \(line)", range: key.node.range))
                continue
            }
            seen[Array(name.utf8)] = key.node.range
            entries.append(YAMLEntry(key: name, keyRange: key.node.range, value: value.node))
        }
    }

    private mutating func expand(
        _ name: String, _ range: Range<Int>, field: String?, depth: Int
    ) throws -> Built {
        aliases += 1
        guard aliases <= Limit.aliases else { throw refuse("more than \(Limit.aliases) aliases", at: range) }
        guard let anchor = anchors[name] else {
            report("there is no '&\(name)' before this", field, range)
            return (YAMLNode(.unreadable, at: range), 1, 1)
        }
        anchors[name]?.isUsed = true
        try count(anchor.nodes, depth: depth + anchor.height - 1, at: range)
        return (anchor.node, anchor.nodes, anchor.height)
    }

    // MARK: - Limits and traps

    private mutating func count(_ more: Int, depth: Int, at range: Range<Int>) throws {
        nodes += more
        guard nodes <= Limit.nodes else { throw refuse("more than \(Limit.nodes) values", at: range) }
        guard depth <= Limit.depth else { throw refuse("nested deeper than \(Limit.depth) levels", at: range) }
    }

    private mutating func refuse(_ message: String, at range: Range<Int>) -> Refused {
        issues.append(Issue(message: message, range: range.prefix(1)))
        return Refused()
    }

    private mutating func report(_ message: String, _ field: String?, _ range: Range<Int>) {
        let name = field.map { "'\($0)': " } ?? ""
        issues.append(Issue(message: "\(name)\(message): quote it, or use `|`", range: range))
    }

    /// A text that begins with `&` loses its first word to an anchor that nobody asked for.
    private mutating func reportUnusedAnchors() {
        for (name, anchor) in anchors where !anchor.isUsed {
            guard case .scalar = anchor.node.content else { continue }
            report(
                "'&\(name)' has a meaning of its own in YAML", anchor.field, anchor.range.prefix(name.utf8.count + 1))
        }
    }

    private func isFlow(_ start: YAMLEvent) -> Bool {
        let rest = bytes[start.range]
        return rest.contains(UInt8(ascii: "[")) || rest.contains(UInt8(ascii: "{"))
    }

    private func beginsTemplate(_ offset: Int) -> Bool {
        bytes[offset...].starts(with: [UInt8(ascii: "{"), UInt8(ascii: "{")])
    }

    private func comment(after range: Range<Int>, _ style: YAMLScalar.Style) -> Range<Int>? {
        guard style == .plain else { return nil }
        // Looks for the line's end only where there is a comment: a line can be the whole file.
        let rest = bytes[range.upperBound...].drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.first == UInt8(ascii: "#") else { return nil }
        return rest.startIndex..<(rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex)
    }
}

extension YAMLNode {
    fileprivate var keyText: String? {
        if case .scalar(let scalar) = content { scalar.text } else { nil }
    }
}

extension Range<Int> {
    func prefix(_ count: Int) -> Range<Int> { lowerBound..<Swift.min(upperBound, lowerBound + count) }

    fileprivate func extended(to end: Int) -> Range<Int> { lowerBound..<Swift.max(upperBound, end) }
}

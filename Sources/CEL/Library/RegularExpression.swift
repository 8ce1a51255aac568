import CRE2

/// A compiled pattern in RE2's syntax. Matching takes time linear in the text and bounded memory, whatever the pattern.
package final class RegularExpression: Sendable {
    private nonisolated(unsafe) let handle: OpaquePointer

    /// Bytes for the compiled pattern and its caches.
    private static let memory = 1 << 20

    /// - Throws: `invalidArgument`, with RE2's reason, for a pattern that is malformed or needs too much memory.
    package init(_ pattern: String) throws(EvaluationError) {
        var reason = [CChar](repeating: 0, count: 256)
        let compiled = pattern.withUTF8Bytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters -> OpaquePointer? in
                withUnsafePointer(to: 0 as CChar) { empty in
                    zb_re2_new(characters.baseAddress ?? empty, bytes.count, Self.memory, &reason, reason.count)
                }
            }
        }
        guard let compiled else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw EvaluationError(.invalidArgument, "'\(pattern.prefix(64))' is not a regular expression: \(text)")
        }
        handle = compiled
    }

    deinit {
        zb_re2_free(handle)
    }

    /// Whether the pattern matches anywhere in `text`.
    package func matches(_ text: String) -> Bool {
        text.withUTF8Bytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                withUnsafePointer(to: 0 as CChar) { empty in
                    zb_re2_matches(handle, characters.baseAddress ?? empty, bytes.count)
                }
            }
        }
    }
}

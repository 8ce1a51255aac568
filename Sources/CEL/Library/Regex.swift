import CRE2

/// A compiled RE2 pattern: matching takes time in proportion to the text, whatever the pattern.
final class Regex: Sendable {
    private nonisolated(unsafe) let handle: OpaquePointer

    /// What a compiled pattern may take, in bytes.
    private static let memoryLimit = 2 << 20

    init(_ pattern: String) throws(EvaluationError) {
        var pattern = pattern
        var reason = [CChar](repeating: 0, count: 256)
        let compiled = pattern.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else {
                    return zb_re2_new("", 0, Regex.memoryLimit, &reason, reason.count)
                }
                return zb_re2_new(start, characters.count, Regex.memoryLimit, &reason, reason.count)
            }
        }
        guard let compiled else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw EvaluationError(.invalidArgument, "this pattern is not one that RE2 takes: \(text)")
        }
        handle = compiled
    }

    deinit {
        zb_re2_free(handle)
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return zb_re2_matches(handle, "", 0) }
                return zb_re2_matches(handle, start, characters.count)
            }
        }
    }
}

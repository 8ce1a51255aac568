import CRE2

/// A compiled RE2 pattern: matching takes time in proportion to the text, whatever the pattern.
final class Regex: Sendable {
    private nonisolated(unsafe) let handle: OpaquePointer

    /// What a compiled pattern may take, in bytes.
    private static let memoryLimit = 1 << 19
    /// The largest `size` within that limit, at the 16 bytes or more that RE2 counts for each instruction.
    static let largestSize = memoryLimit / 16

    /// Instructions of the compiled pattern. Some patterns and texts make RE2 go through all of them for every byte.
    let size: Int

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
        size = Int(zb_re2_size(compiled))
    }

    deinit {
        zb_re2_free(handle)
    }

    /// The steps that matching takes for each 64 bytes of text, besides those that any function takes for its arguments.
    static func steps(size: Int) -> Int { size >> 3 }

    func matches(_ text: String, _ budget: inout Budget) throws(EvaluationError) -> Bool {
        try budget.charge((text.utf8.count >> 6) * Self.steps(size: size))
        return matches(text)
    }

    private func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return zb_re2_matches(handle, "", 0) }
                return zb_re2_matches(handle, start, characters.count)
            }
        }
    }
}

/// Cuts what arrives into lines, at CR, LF or both.
struct LineSplitter: Sendable {
    /// Tags may have 8,191 bytes, and the rest of a line usually 512. A longer line is left out.
    static let longestLine = 9_000

    private var rest: [UInt8] = []
    private var isTooLong = false

    /// The lines that are complete by now, without their ends; none is empty.
    ///
    /// - Complexity: O(bytes), however they are cut into pieces.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            guard byte == 0x0A || byte == 0x0D else {
                if rest.count < Self.longestLine { rest.append(byte) } else { isTooLong = true }
                continue
            }
            if !rest.isEmpty, !isTooLong { lines.append(rest) }
            rest.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        return lines
    }
}

/// The text of a file, for turning byte offsets into lines and columns.
struct SourceText: Sendable {
    let file: String
    /// UTF-8, every line break a single `\n`, without a byte order mark.
    let bytes: [UInt8]
    private let lineStarts: [Int]
    /// How many code points begin before each block of bytes, so that a column costs no walk through a long line.
    private let counts: [Int]

    private static let block = 256

    /// - Parameter bytes: valid UTF-8.
    init(_ bytes: some Sequence<UInt8>, file: String) {
        self.file = file
        var text: [UInt8] = []
        var isAfterReturn = false
        for byte in bytes {
            if byte == UInt8(ascii: "\r") {
                text.append(UInt8(ascii: "\n"))
            } else if byte != UInt8(ascii: "\n") || !isAfterReturn {
                text.append(byte)
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
        }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        self.bytes = text
        var count = 0
        counts = stride(from: 0, through: text.count, by: Self.block).map { start in
            defer { count += text[start..<min(start + Self.block, text.count)].scalarCount }
            return count
        }
        lineStarts = [0] + text.indices.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The number of the line, from 0.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The bytes of a line (from 0), without its break.
    func range(ofLine line: Int) -> Range<Int> {
        let end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
        return lineStarts[line]..<end
    }

    func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = line(at: offset)
        let column = scalars(before: offset) - scalars(before: lineStarts[line])
        return SourcePosition(file: file, line: line + 1, column: column + 1)
    }

    private func scalars(before offset: Int) -> Int {
        let block = offset / Self.block
        return counts[block] + bytes[(block * Self.block)..<offset].scalarCount
    }

    /// The inverse of `position(at:)`.
    func offset(of position: SourcePosition) -> Int {
        guard lineStarts.indices.contains(position.line - 1) else { return bytes.count }
        let line = range(ofLine: position.line - 1)
        let starts = line.filter { bytes[$0] & 0xC0 != 0x80 }
        return starts.indices.contains(position.column - 1) ? starts[position.column - 1] : line.upperBound
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// How many code points begin in these bytes.
    var scalarCount: Int {
        reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}

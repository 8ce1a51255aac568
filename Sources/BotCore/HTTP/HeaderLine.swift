/// One line of a response's header block.
enum HeaderLine {
    /// Name and value without the white space around them; nil for a line that is not a header.
    static func parse(_ line: UnsafeRawBufferPointer) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        let name = line[..<colon]
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var value = line[(colon + 1)...]
        while let first = value.first, isSpace(first) { value.removeFirst() }
        while let last = value.last, isSpace(last) { value.removeLast() }
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
}

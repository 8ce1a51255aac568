/// Appends numbers and text in the compact form that `ByteReader` reads.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: about how many bytes it will be.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Seven bits a byte, the lowest first.
    mutating func unsigned(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func count(_ number: Int) {
        unsigned(UInt64(number))
    }

    /// Small numbers of either sign are short.
    mutating func signed(_ number: Int64) {
        unsigned(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    mutating func fixed(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func block(_ block: some Collection<UInt8>) {
        count(block.count)
        bytes.append(contentsOf: block)
    }

    mutating func text(_ text: String) {
        block(text.utf8)
    }
}

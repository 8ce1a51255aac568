/// Reads what `ByteWriter` wrote. The bytes may be anything: what cannot be is a failure.
struct ByteReader {
    /// Why stored bytes cannot be read.
    struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }

        static let cutShort = Failure("the stored value is cut short")
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - index }

    mutating func byte() throws(Failure) -> UInt8 {
        guard index < bytes.count else { throw .cutShort }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func unsigned() throws(Failure) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Failure("a stored number is too large")
    }

    mutating func signed() throws(Failure) -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(number & 1)
    }

    /// How many things follow, each of at least one byte.
    mutating func count() throws(Failure) -> Int {
        let number = try unsigned()
        guard number <= UInt64(remaining) else { throw .cutShort }
        return Int(number)
    }

    mutating func fixed() throws(Failure) -> UInt64 {
        guard remaining >= 8 else { throw .cutShort }
        defer { index += 8 }
        return bytes[index..<(index + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func block() throws(Failure) -> ArraySlice<UInt8> {
        let count = try count()
        defer { index += count }
        return bytes[index..<(index + count)]
    }

    mutating func text() throws(Failure) -> String {
        guard let text = String(validating: try block(), as: UTF8.self) else {
            throw Failure("a stored text is not UTF-8")
        }
        return text
    }

    func finish() throws(Failure) {
        guard remaining == 0 else { throw Failure("there are bytes behind the stored value") }
    }
}

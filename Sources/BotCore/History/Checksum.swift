/// FNV-1a, 32 bits, behind stored bytes: no single byte of them can change unnoticed.
enum Checksum {
    private static let size = 4

    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        bytes + withUnsafeBytes(of: checksum(of: bytes[...]).littleEndian, Array.init)
    }

    /// What was sealed.
    static func opened(_ sealed: [UInt8]) throws(ByteReader.Failure) -> [UInt8] {
        guard sealed.count >= size else { throw .cutShort }
        let bytes = sealed.dropLast(size)
        let stored = sealed.suffix(size).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        guard checksum(of: bytes) == stored else { throw ByteReader.Failure("its bytes are not those once written") }
        return Array(bytes)
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            var state: UInt32 = 0x811C_9DC5
            for byte in bytes { state = (state ^ UInt32(byte)) &* 0x0100_0193 }
            return state
        }
    }
}

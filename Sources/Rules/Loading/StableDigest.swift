/// FNV-1a, 64 bits: the same in every run and on every machine, which `Hasher` is not.
struct StableDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a pair in such a way that no other pairs run together into the same bytes.
    mutating func add(_ name: String, _ value: String) {
        for text in [name, value] {
            for byte in "\(text.utf8.count):\(text)".utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    var value: UInt64 { state }

    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

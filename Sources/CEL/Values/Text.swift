#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Swift compares strings by canonical equivalence; CEL compares code points (langdef, "String and Bytes Values"), and
// the order of code points is the order of UTF-8 bytes.
extension String {
    func hasSameText(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        return withBytes(of: other) { memcmp($0, $1, count) == 0 }
    }

    /// Negative, zero or positive.
    func order(_ other: String) -> Int {
        let count = utf8.count
        let otherCount = other.utf8.count
        let prefix = withBytes(of: other) { Int(memcmp($0, $1, min(count, otherCount))) }
        return prefix != 0 ? prefix : count - otherCount
    }

    private func withBytes<Result>(
        of other: String, _ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result
    ) -> Result {
        var a = self
        var b = other
        return a.withUTF8 { left in
            b.withUTF8 { right in
                // An empty string may have no address, and nothing is read through this one.
                withUnsafePointer(to: UInt8(0)) { nothing in
                    body(left.baseAddress ?? nothing, right.baseAddress ?? nothing)
                }
            }
        }
    }

    /// Nil when the bytes are not UTF-8.
    init?(utf8Bytes bytes: some Collection<UInt8>) {
        self.init(validating: bytes, as: UTF8.self)
    }
}

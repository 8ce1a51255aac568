import Glibc

// CEL text is a sequence of code points. Swift compares strings by canonical equivalence, which is another relation (and
// slow beyond ASCII), so everything here works on the UTF-8 storage, whose byte order is the code point order.
extension String {
    /// Whether both hold the same code points.
    package func hasSameCodePoints(as other: String) -> Bool {
        withUTF8Bytes { a in
            other.withUTF8Bytes { b in a.count == b.count && a.compare(b) == .equal }
        }
    }

    /// The order by code point.
    package func compareCodePoints(_ other: String) -> Ordering {
        withUTF8Bytes { a in other.withUTF8Bytes { b in a.compare(b) } }
    }

    /// Calls `body` with the text as UTF-8, without a copy for strings that Swift itself made.
    func withUTF8Bytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeRawBufferPointer {
    /// The lexicographical order of the bytes.
    func compare(_ other: UnsafeRawBufferPointer) -> Ordering {
        if let a = baseAddress, let b = other.baseAddress {
            let difference = memcmp(a, b, Swift.min(count, other.count))
            if difference != 0 { return difference < 0 ? .less : .greater }
        }
        return Ordering(count, other.count)
    }
}

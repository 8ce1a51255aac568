/// Finds a text in another in time proportional to both, by Knuth, Morris and Pratt: a naive search of `aaa…b` in `aaa…`
/// would take their product.
struct ByteSearch {
    private let needle: [UInt8]
    /// For each prefix of the needle, the length of the longest proper prefix that is also its suffix.
    private let fallback: [Int]

    init(_ needle: [UInt8]) {
        self.needle = needle
        var fallback = [Int](repeating: 0, count: needle.count)
        var length = 0
        for index in needle.indices.dropFirst() {
            while length > 0, needle[index] != needle[length] { length = fallback[length - 1] }
            if needle[index] == needle[length] { length += 1 }
            fallback[index] = length
        }
        self.fallback = fallback
    }

    /// The offset of the first occurrence at or after `start`. The empty text is found at once.
    func first(in text: [UInt8], from start: Int = 0) -> Int? {
        if needle.isEmpty { return start <= text.count ? start : nil }
        var length = 0
        for index in text.indices.dropFirst(start) {
            while length > 0, text[index] != needle[length] { length = fallback[length - 1] }
            if text[index] == needle[length] { length += 1 }
            if length == needle.count { return index + 1 - length }
        }
        return nil
    }

    /// The offset of the last occurrence that begins at or before `limit`.
    func last(in text: [UInt8], upTo limit: Int) -> Int? {
        if needle.isEmpty { return min(limit, text.count) }
        var length = 0
        var found: Int?
        for index in text.indices.prefix(min(text.count - needle.count, limit) + needle.count) {
            while length > 0, text[index] != needle[length] { length = fallback[length - 1] }
            if text[index] == needle[length] { length += 1 }
            if length == needle.count {
                found = index + 1 - length
                length = fallback[length - 1]
            }
        }
        return found
    }
}

/// A stretch of a list, as pages ask for it: `size` rows beginning behind `(number - 1) * size` others.
struct PageSlice: Hashable, Sendable {
    var number: Int
    var size: Int

    /// As many rows as Zimmer gives at once.
    static let largest = 100

    init(_ number: Int, size: Int = PageSlice.largest) {
        self.number = number
        self.size = size
    }

    /// The same rows in smaller pages; nil for a single row.
    var parts: [PageSlice]? {
        let smaller = size > 25 ? 25 : size > 5 ? 5 : 1
        guard smaller < size else { return nil }
        let count = size / smaller
        return (1...count).map { PageSlice((number - 1) * count + $0, size: smaller) }
    }

    /// The pages of the largest size that hold so many rows, at least one.
    ///
    /// - Parameter maximum: of a server that counts more nothing more is read: it has gone wrong, and would go on.
    static func count(of total: Int64?, maximum: Int) throws(ZimmerError) -> Int {
        guard let total, total > 0 else { return 1 }
        guard (total - 1) / Int64(largest) < Int64(maximum) else {
            let most = maximum * largest
            throw ZimmerError(.badBody, message: "Zimmer counts \(total) of them, and no more than \(most) are read")
        }
        return Int((total - 1) / Int64(largest) + 1)
    }
}

/// A row of a page by what it can be told apart by, those too that could not be read.
enum PageRow: Hashable, Sendable {
    case row(Int64)
    /// It has an id and lacks something else that it needs.
    case broken(Int64)
    /// By a digest of what was sent.
    case nameless(UInt64)
}

extension Array where Element: Equatable {
    /// How many rows at the start of the next page are those at the end of this one: so far the list moved between the two.
    func overlap(with next: [Element]) -> Int {
        (0...Swift.min(count, next.count)).last { suffix($0).elementsEqual(next.prefix($0)) } ?? 0
    }
}

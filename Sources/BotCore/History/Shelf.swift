/// Objects of one kind in their order, as the reader of a recording knows them.
struct Shelf<ID: Hashable & Sendable, Item: Sendable>: Sendable {
    var ids: [ID] = []
    /// Nil where the reader was not told yet.
    var items: [Item?] = []

    /// Whether the reader knows all of them.
    var isFilled: Bool { missing == 0 }
    private(set) var missing = 0

    /// Positions by id.
    ///
    /// - Complexity: O(n).
    var positions: [ID: Int] {
        Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    subscript(index: Int) -> Item? {
        get { items[index] }
        set {
            if items[index] != nil { missing += 1 }
            if newValue != nil { missing -= 1 }
            items[index] = newValue
        }
    }

    /// How other ids stand in place of these: what goes, by its position, and what comes, by its position afterwards. Nil
    /// when that would not lead there, as what stays has another order.
    ///
    /// - Complexity: O(n).
    func edit(to new: [ID]) -> (removed: [Int], inserted: [Int])? {
        let old = Set(ids)
        let kept = Set(new)
        let removed = ids.indices.filter { !kept.contains(ids[$0]) }
        let inserted = new.indices.filter { !old.contains(new[$0]) }
        let stays = ids.lazy.filter(kept.contains)
        let stayed = new.lazy.filter(old.contains)
        return stays.elementsEqual(stayed) ? (removed, inserted) : nil
    }

    /// Puts other ids in place of these; what is known of those that stay is kept.
    ///
    /// - Complexity: O(n).
    mutating func reorder(_ new: [ID]) {
        let old = positions
        items = new.map { id in old[id].flatMap { items[$0] } }
        ids = new
        missing = items.count { $0 == nil }
    }

    /// Applies what `edit` found; false when it does not fit.
    mutating func apply(removed: [Int], inserted: [(position: Int, id: ID)]) -> Bool {
        let gone = Set(removed)
        guard gone.allSatisfy(ids.indices.contains) else { return false }
        var rest = ids.indices.filter { !gone.contains($0) }[...]
        var nextIDs: [ID] = []
        var nextItems: [Item?] = []
        var coming = inserted[...]
        while !rest.isEmpty || !coming.isEmpty {
            if let first = coming.first, first.position == nextIDs.count {
                nextIDs.append(first.id)
                nextItems.append(nil)
                coming.removeFirst()
            } else if let index = rest.popFirst() {
                nextIDs.append(ids[index])
                nextItems.append(items[index])
            } else {
                return false
            }
        }
        ids = nextIDs
        items = nextItems
        missing = items.count { $0 == nil }
        return true
    }
}

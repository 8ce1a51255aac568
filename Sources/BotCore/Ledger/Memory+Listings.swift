import Rules

extension Memory {
    /// Objects with an episode or an unfinished run that are missing from a whole reading of their list: nothing but the
    /// list says what became of them.
    func departed(from reading: Listing) -> [SubjectID: Departure] {
        guard reading.isWhole else { return [:] }
        let present = Set(reading.rows.map(\.id))
        let remembered = rules.values.flatMap(\.episodes.keys) + runs.keys.map(\.subject)
        let missing = remembered.filter { $0.type == reading.kind.rawValue && !present.contains($0) }
        // A row without an id may be any of them.
        let departure = reading.skippedRows == 0 ? Departure.gone : .unreadable("a row of its list has no id")
        return Dictionary(missing.map { ($0, departure) }) { first, _ in first }
    }
}

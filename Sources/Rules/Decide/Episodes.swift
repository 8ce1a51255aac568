/// The episodes of one rule, by subject.
///
/// Those that may go on although nothing of their subject changes are kept apart, so that a decision looks at them alone:
/// most episodes ran and only wait for their end.
package struct Episodes: Hashable, Sendable {
    private var all: [SubjectID: Episode] = [:]
    private(set) var unsettled: Set<SubjectID> = []

    package init() {}

    package subscript(_ id: SubjectID) -> Episode? {
        get { all[id] }
        set {
            all[id] = newValue
            if let newValue, newValue.isUnsettled {
                unsettled.insert(id)
            } else if !unsettled.isEmpty {
                unsettled.remove(id)
            }
        }
    }

    func contains(_ id: SubjectID) -> Bool { !all.isEmpty && all[id] != nil }

    package var keys: some Collection<SubjectID> { all.keys }
    package var values: some Collection<Episode> { all.values }
    package var isEmpty: Bool { all.isEmpty }
    package var count: Int { all.count }

    /// The unsettled ones for which this holds.
    ///
    /// - Complexity: O(unsettled).
    func unsettled(where isWanted: (Episode) -> Bool) -> [(key: SubjectID, value: Episode)] {
        unsettled.compactMap { id in
            guard let episode = all[id], isWanted(episode) else { return nil }
            return (id, episode)
        }
    }
}

extension Episodes: Sequence {
    package func makeIterator() -> Dictionary<SubjectID, Episode>.Iterator { all.makeIterator() }
}

extension Episode {
    /// Time, or a limit that eases, may be all that it waits for.
    fileprivate var isUnsettled: Bool {
        switch phase {
        case .pending, .keeping: true
        case .active: standing == .held
        case .baseline: false
        }
    }
}

package import CEL

/// Everything `decide` may know about the outside, as one value made at one instant.
package struct World: Sendable {
    /// One instant per poll, on Zimmer's clock.
    package var now: Timestamp
    /// The same instant on this machine's clock, which schedules use.
    package var localNow: Timestamp
    /// This machine's clock was put forward by more than a correction since the last decision: the slots between were not
    /// lived through.
    package var isClockPutForward = false
    /// What is bound beside the subject, by name: the last whole reading while it is not stale, else an `unavailable`
    /// error that says why.
    package var variables: [String: Variable]
    /// Readings to decide on, by the word of `watch:` (of costs, `costs` has them: a window for each rule). Only what was
    /// read (or failed to be read) since the last decision; rules that watch anything else are left alone.
    package var watched: [String: Watched]
    /// The windows of costs that rules asked for; see `CostsRequest`.
    package var costs: [CostsRequest: Variable]
    /// Why the last reading of a window failed. An earlier one may still serve beside it, but decides nothing.
    package var failedCosts: [CostsRequest: String] = [:]
    /// Subjects as last read, for what is no longer on the board and for runs that wait.
    package var latest: [SubjectID: Object]
    /// What the last whole reading of a kind brought, by the word of `watch:`, also if it is no news: schedules go over it.
    package var standing: [String: Subjects] = [:]

    package init(
        now: Timestamp, localNow: Timestamp? = nil, variables: [String: Variable] = [:],
        watched: [String: Watched] = [:],
        costs: [CostsRequest: Variable] = [:], latest: [SubjectID: Object] = [:]
    ) {
        self.now = now
        self.localNow = localNow ?? now
        self.variables = variables
        self.watched = watched
        self.costs = costs
        self.latest = latest
    }

    /// A bound value and a number that changes whenever the value does.
    package struct Variable: Sendable {
        package var value: Value
        package var revision: UInt64
        /// When it was read, on Zimmer's clock; nil for what is not read.
        package var readAt: Timestamp?
        /// Of a window of costs, the reading before.
        package var previous: Object?

        package init(_ value: Value, revision: UInt64, readAt: Timestamp? = nil) {
            self.value = value
            self.revision = revision
            self.readAt = readAt
        }
    }
}

/// One reading of what a rule watches.
package enum Watched: Sendable {
    case whole(Subjects)
    /// The reading failed, or only a part came. It decides nothing.
    case cannotTell(String)
}

/// All subjects of one kind, in one whole reading.
package struct Subjects: Sendable {
    package private(set) var all: [Subject]
    /// Subjects that are remembered but missing here, as reading them one by one found them.
    package var departed: [SubjectID: Departure]
    package var revision: UInt64
    /// Which of `all` differ from the reading with the number `base`, in order; nil when that is not known. What is their
    /// `previous` was in that reading.
    package var changed: (base: UInt64, indices: [Int])?
    private let positions: [SubjectID: Int]

    package init(
        _ all: [Subject], departed: [SubjectID: Departure] = [:], revision: UInt64,
        changed: (base: UInt64, indices: [Int])? = nil
    ) {
        self.all = all
        self.departed = departed
        self.revision = revision
        self.changed = changed
        positions = Dictionary(all.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// A later reading of the same subjects, in the same order.
    ///
    /// - Parameters:
    ///   - changes: what is another object now, in that order.
    ///   - isDecided: the reading so far was decided on. One that was not is no `previous`.
    /// - Complexity: O(changes of this reading and the one before).
    package mutating func move(
        _ changes: [Change], departed: [SubjectID: Departure], revision: UInt64, isDecided: Bool
    ) {
        var indices = changes.map(\.index)
        if isDecided {
            for index in movedIndices { all[index].previous = all[index].value }
            changed = (self.revision, indices)
        } else {
            indices = Set(movedIndices).union(indices).sorted()
            changed = changed.map { ($0.base, indices) }
        }
        for change in changes {
            all[change.index].value = change.value
            all[change.index].anchor = change.anchor
        }
        self.departed = departed
        self.revision = revision
    }

    /// Where those are that may be other objects than in the reading before.
    private var movedIndices: [Int] { changed?.indices ?? Array(all.indices) }

    /// Subjects that are other objects than in the reading before.
    var moved: [SubjectID] {
        movedIndices.lazy.map { all[$0] }.filter(\.isMoved).map(\.id)
    }

    /// The object that a subject is in a later reading, with its anchor.
    package struct Change {
        package var index: Int
        package var value: Object
        package var anchor: String?

        package init(index: Int, value: Object, anchor: String?) {
            self.index = index
            self.value = value
            self.anchor = anchor
        }
    }

    package func position(of id: SubjectID) -> Int? { positions[id] }

    package subscript(_ id: SubjectID) -> Subject? { positions[id].map { all[$0] } }
}

/// A watched object.
package struct Subject: Sendable {
    package var id: SubjectID
    package var value: Object
    /// What a decision about it is tied to, if anything: a write is withdrawn when that is another by then. Of a session,
    /// its newest pull request.
    package var anchor: String?
    /// The same in the last whole reading before this one; nil at first sight.
    package var previous: Object?

    package init(_ id: SubjectID, _ value: Object, anchor: String? = nil, previous: Object? = nil) {
        self.id = id
        self.value = value
        self.anchor = anchor
        self.previous = previous
    }

    /// It is not what it was in the reading before.
    var isMoved: Bool { previous !== value }
}

/// Why a remembered subject is missing from a whole reading.
package enum Departure: Sendable {
    /// It left the board, as it is now: evaluated once more with this value, then its episode ends.
    case archived(Object)
    /// It no longer exists.
    case gone
    /// It could not be read: nothing is decided about it.
    case unreadable(String)
}

/// A window of costs as one rule needs it.
package struct CostsRequest: Hashable, Sendable {
    package var window: CostsWindow
    package var timeZone: String
    /// The slot that the window is relative to; nil means now.
    package var slot: Timestamp?

    package init(window: CostsWindow, timeZone: String, slot: Timestamp?) {
        self.window = window
        self.timeZone = timeZone
        self.slot = slot
    }
}

extension World {
    /// A subject as a rule sees it: as last read, and of costs the window that the rule names.
    package func latest(_ id: SubjectID, for prepared: PreparedRule) -> Subject? {
        guard prepared.watchable?.name == "costs" else { return latest[id].map { Subject(id, $0) } }
        guard let request = prepared.costsRequest(slot: nil), case .object(let window)? = costs[request]?.value else {
            return nil
        }
        return Subject(id, window)
    }

    /// A reading as a rule sees it. The one subject of `watch: costs` is the window that the rule names: what was read of
    /// others says nothing of it.
    func reading(_ watched: Watched, for prepared: PreparedRule) -> Watched {
        guard prepared.watchable?.name == "costs", let request = prepared.costsRequest(slot: nil) else {
            return watched
        }
        if let reason = failedCosts[request] { return .cannotTell(reason) }
        switch costs[request]?.value {
        case .object(let window)?:
            let subject = Subject(SubjectID(type: "costs", id: "costs"), window, previous: costs[request]?.previous)
            return .whole(Subjects([subject], revision: costs[request]?.revision ?? 0))
        case .error(let error)?: return .cannotTell(error.message)
        default: return .cannotTell("'costs' has not been read yet")
        }
    }
}

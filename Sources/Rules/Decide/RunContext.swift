package import CEL

/// An object as it was at some instant. The very same object is equal to itself only: comparing what is in it would cost
/// more than to keep it twice.
package struct Snapshot: Hashable, Sendable {
    package let object: Object

    package init(_ object: Object) {
        self.object = object
    }

    package static func == (a: Snapshot, b: Snapshot) -> Bool { a.object === b.object }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

/// What the steps of a run may name beside the subject, as it was when the run started: kept with the run, so that it is
/// still that after a wait or a restart. Only what a rule's steps read is kept.
package struct RunContext: Hashable, Sendable {
    /// The subject in the reading before the one that decided; last looks evaluate the condition with it.
    package var previous: Snapshot?
    /// The subject as it was when the episode's `do` started.
    package var fired: Snapshot?
    package var episode: EpisodeFacts?
    /// What the write before the next step answered.
    package var result: Snapshot?

    package init(
        previous: Snapshot? = nil, fired: Snapshot? = nil, episode: EpisodeFacts? = nil, result: Snapshot? = nil
    ) {
        self.previous = previous
        self.fired = fired
        self.episode = episode
        self.result = result
    }

    package var isEmpty: Bool { previous == nil && fired == nil && episode == nil && result == nil }
}

/// An episode as the variable of that name (docs/rules.md, "Episodes").
package struct EpisodeFacts: Hashable, Sendable {
    package var number: Int
    package var since: Timestamp
    package var activeSince: Timestamp
    /// How often `do` ran, this run included.
    package var runs: Int
    /// Nil while it lasts.
    package var ended: Ending?
    /// Who acknowledged it.
    package var ackedBy: String?

    package init(
        number: Int, since: Timestamp, activeSince: Timestamp, runs: Int, ended: Ending? = nil, ackedBy: String? = nil
    ) {
        self.number = number
        self.since = since
        self.activeSince = activeSince
        self.runs = runs
        self.ended = ended
        self.ackedBy = ackedBy
    }

    package static let type = ObjectType(
        "episode",
        [
            .init("number", .int), .init("since", .timestamp), .init("active_since", .timestamp), .init("runs", .int),
            .init("ended", .nullable(.string), knownValues: Ending.allCases.map(\.rawValue)),
            .init("acked", .nullable(.string)),
        ])

    package var object: Object {
        Object(
            Self.type,
            [
                .int(Int64(number)), .timestamp(since), .timestamp(activeSince), .int(Int64(runs)),
                ended.map { .string($0.rawValue) } ?? .null, ackedBy.map(Value.string) ?? .null,
            ])
    }

    /// Facts that were stored as an object; nil for anything else.
    package init?(_ object: Object) {
        guard case .int(let number) = object["number"], case .timestamp(let since) = object["since"],
            case .timestamp(let activeSince) = object["active_since"], case .int(let runs) = object["runs"]
        else { return nil }
        self.init(number: Int(number), since: since, activeSince: activeSince, runs: Int(runs))
        if case .string(let word) = object["ended"] { ended = Ending(rawValue: word) }
        if case .string(let person) = object["acked"] { ackedBy = person }
    }
}

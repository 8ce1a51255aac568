import CEL

/// Something that a Zimmer may be too old for, or not show to this credential.
package enum ServerFeature: String, CaseIterable, Codable, Hashable, Sendable {
    case triggers, backlog, elicitations, conversation, queue
    case tools = "clis"
    // Members of a session's row.
    case visibility
    case goalChecks = "goal_checks"

    /// What it means for rules that it is missing.
    package var sentence: String {
        switch self {
        case .triggers: "this Zimmer has no list of triggers, so nothing can be decided about them"
        case .backlog: "this Zimmer has no backlog, so nothing can be decided about it"
        case .tools: "this Zimmer does not tell of its tools, so nothing can be decided about them"
        case .elicitations:
            "this Zimmer does not list the questions of sessions to this API key, so only who asks is known"
        case .conversation:
            "this Zimmer shows no conversations, so 'last_message' and 'last_message_at' cannot be told"
        case .queue: "this Zimmer shows no queues, so 'queued' and 'undelivered' cannot be told"
        case .visibility:
            "this Zimmer knows no visibility, so every session counts as visible, and it refuses 'snooze', 'hide' and 'show'"
        case .goalChecks: "this Zimmer makes no goal checks, so 'goal_check' is null everywhere"
        }
    }

    /// What a reading that needs it comes to.
    var error: ZimmerError { ZimmerError(.notFound, message: sentence, reach: .notSent) }

    /// Seen by every reading of the board, rather than asked for by a call of its own.
    var isMember: Bool { self == .visibility || self == .goalChecks }
}

/// Which features a Zimmer lacks. Each is found out once and not asked for again for a day, also over restarts.
package struct ServerFeatures: Hashable, Codable, Sendable {
    private struct Finding: Hashable, Codable, Sendable {
        var since: Timestamp
        var askedAt: Timestamp
    }

    /// Whose features these are.
    private var server = ""
    private var missing: [ServerFeature: Finding] = [:]

    private static let patience: Duration = .seconds(86_400)

    package init() {}

    /// Another Zimmer is another matter.
    mutating func begin(at address: String) {
        guard server != address else { return }
        self = ServerFeatures()
        server = address
    }

    mutating func note(_ feature: ServerFeature, isMissing: Bool, at now: Timestamp) {
        guard isMissing else {
            missing[feature] = nil
            return
        }
        let known = missing[feature]
        if feature.isMember, known != nil { return }
        missing[feature] = Finding(since: known?.since ?? now, askedAt: now)
    }

    /// What is missing, be it time to ask again or not.
    package var lacking: Set<ServerFeature> { Set(missing.keys) }

    /// What need not be asked for now.
    func lacking(at now: Timestamp) -> Set<ServerFeature> {
        Set(missing.filter { now - $0.value.askedAt < Self.patience && $0.value.askedAt - now < Self.patience }.keys)
    }
}

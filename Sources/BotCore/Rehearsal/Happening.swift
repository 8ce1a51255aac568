package import AdapterKit
package import CEL
package import Rules

/// Something that the rules did, or did not do, in a rehearsal.
package struct Happening: Sendable {
    package enum What: Sendable {
        /// A message went to its channel.
        case post(Message)
        /// Zimmer was asked for this.
        case write(WriteRequest)
        /// What would be done is kept back. The word is that of the limit (`per_poll`, `zimmer.limit`), or `release`,
        /// `once`, `quiet`, `group`, `suppress`; a write that waits for its last look is held by `last_look`.
        case held(String, reason: String)
        /// A run ended before its end.
        case withdrawn(String)
        /// What a dry run would do, a line per step.
        case would(String)
        case cannotTell(String)
        /// A slot passed without a run.
        case missed(String)
        /// Something in the life of an episode or a rule that is none of these: it began, it ended, the rule was reset.
        case note(Event.Kind, String)
    }

    package var at: Timestamp
    /// Nil where several rules share a message.
    package var rule: String?
    /// Nil for a message about none or several.
    package var subject: SubjectID?
    package var episode: Int?
    package var what: What
    /// The values that decided, by the expression that read them; empty where nothing was evaluated.
    package var values: [String: Value] = [:]
    /// Since when the condition held, where the episode goes on.
    package var since: Timestamp?
}

extension Happening {
    /// What the trail says, as something that happened.
    ///
    /// - Parameter episode: the one it is about, as it is now.
    init(_ event: Event, of episode: Episode?) {
        let what: What =
            switch event.kind {
            case .held: .held(episode?.hold?.rawValue ?? "held", reason: event.detail)
            case .withdrawn: .withdrawn(event.detail)
            case .would: .would(event.detail)
            case .cannotTell: .cannotTell(event.detail)
            case .missed: .missed(event.detail)
            default: .note(event.kind, event.detail)
            }
        self.init(
            at: event.at, rule: event.rule, subject: event.subject, episode: event.episode, what: what,
            values: event.values, since: episode?.since)
    }
}

package import AdapterKit
package import CEL
package import Rules

/// Something that the rules did, or did not do, in a rehearsal.
package struct Happening: Sendable {
    package enum What: Sendable {
        /// A message went to its channel.
        case post(Message)
        /// Zimmer did this.
        case write(WriteRequest)
        /// What would be done is kept back. The word is that of the limit (`per_poll`, `zimmer.limit`), or `release`,
        /// `once`, `quiet`, `group`, `suppress`; a write is held by `last_look`, `pause` and `confirm` too.
        case held(String, reason: String)
        case told(Telling, String)
        /// What a person asked for was done. The word is that of the audit trail.
        case wish(String, String)
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
    /// Whose message, write or end it is, where it is one run's.
    package var run: RunKey?
}

extension Happening {
    /// What the trail says, as something that happened.
    ///
    /// - Parameter episode: the one it is about, as it is now.
    init(_ event: Event, of episode: Episode?) {
        let what: What =
            switch event.kind {
            case .held: .held(episode?.hold?.rawValue ?? "held", reason: event.detail)
            default:
                Telling(rawValue: event.kind.rawValue).map { .told($0, event.detail) }
                    ?? .note(event.kind, event.detail)
            }
        self.init(
            at: event.at, rule: event.rule, subject: event.subject, episode: event.episode, what: what,
            values: event.values, since: episode?.since)
    }
}

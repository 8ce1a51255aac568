package import CEL
package import Rules

/// What is asked of one session.
extension ZimmerWrite {
    package enum Visibility: Hashable, Sendable {
        case visible, hidden
        case snoozed(until: Timestamp)
    }

    /// Resumes the agent or, while a turn runs, joins its queue: spends money, and Zimmer has no key against a repeat.
    package static func followUp(session: Int64, prompt: String, goal: String?) -> Self {
        let body = [("prompt", JSONText.string(prompt))] + (goal.map { [("goal", .string($0))] } ?? [])
        return Self(.followUp, .post, member(session, "follow_up"), .object(body))
    }

    /// Starts a session. A repeat with the same key is answered with the session of the first call, by servers that know
    /// keys.
    ///
    /// - Parameters:
    ///   - members: under Zimmer's names; `model` and `effort` go into `config`.
    ///   - key: at most 255 characters, one for each intent.
    package static func start(_ members: [WireMember], key: String) -> Self {
        let settings: Set<String> = ["model", "effort"]
        let config = members.filter { settings.contains($0.name) }
        var body = members.filter { !settings.contains($0.name) }.map(\.json)
        if !config.isEmpty { body.append(("config", .object(config.map(\.json)))) }
        body.append(("idempotency_key", .string(key)))
        return Self(.start, .post, ["sessions"], .object(body))
    }

    package static func restart(session: Int64) -> Self {
        Self(.restart, .post, member(session, "restart"))
    }

    /// Ends a running turn; the session comes to rest.
    package static func pause(session: Int64) -> Self {
        Self(.pause, .post, member(session, "pause"))
    }

    /// Puts a session to sleep, a running one when its turn is over.
    package static func sleep(session: Int64) -> Self {
        Self(.sleep, .post, member(session, "sleep"))
    }

    /// Starts the turn that is queued, before its time.
    package static func startNow(session: Int64) -> Self {
        Self(.startNow, .post, member(session, "start_now"))
    }

    /// Has Zimmer read the transcript again.
    package static func refresh(session: Int64) -> Self {
        Self(.refresh, .post, member(session, "refresh"))
    }

    /// To the trash, never over a running turn or queued messages: Zimmer refuses those.
    package static func archive(session: Int64) -> Self {
        Self(.archive, .post, member(session, "archive"))
    }

    /// Out of the trash.
    package static func unarchive(session: Int64) -> Self {
        Self(.unarchive, .post, member(session, "unarchive"))
    }

    /// What boards draw; no more than that.
    package static func visibility(session: Int64, _ visibility: Visibility) -> Self {
        let body: [(String, JSONText)] =
            switch visibility {
            case .visible: [("visibility", .string("visible"))]
            case .hidden: [("visibility", .string("hidden"))]
            case .snoozed(let until):
                [
                    ("visibility", .string("snoozed")), ("snoozed_until", .string(WireTime.wallClock(until))),
                    ("timezone", .string("UTC")),
                ]
            }
        return Self(.visibility, .patch, member(session, "visibility"), .object(body))
    }

    /// Changes labels and rank. Never `custom_metadata`, which would replace Zimmer's own record of pull requests.
    package static func set(session: Int64, _ members: [WireMember]) -> Self {
        let body = members.filter { $0.name != "custom_metadata" }.map(\.json)
        return Self(.set, .patch, ["sessions", String(session)], .object(body))
    }

    /// Replaces the notes.
    package static func notes(session: Int64, text: String) -> Self {
        Self(
            .notes, .patch, member(session, "notes"), .object([("session_notes", .string(text))]))
    }

    /// Turns the star over, whatever it was: read before, verify after.
    package static func toggleFavorite(session: Int64) -> Self {
        Self(.favorite, .post, member(session, "toggle_favorite"))
    }

    /// - Parameter members: `enabled`, `interval_seconds`.
    package static func heartbeat(session: Int64, _ members: [WireMember]) -> Self {
        Self(
            .heartbeat, .patch, member(session, "heartbeat"), .object(members.map(\.json)))
    }

    package static func model(session: Int64, _ name: String) -> Self {
        Self(.model, .patch, member(session, "model"), .object([("model", .string(name))]))
    }

    /// A line in the session's log.
    package static func log(session: Int64, text: String, level: String) -> Self {
        let body = [("content", JSONText.string(text)), ("level", .string(level))]
        return Self(.log, .post, member(session, "logs"), .object(body))
    }

    /// Zimmer's own push to phones and browsers, about a session.
    package static func push(session: Int64, _ message: String) -> Self {
        let body = [("session_id", JSONText.int(session)), ("message", .string(message))]
        return Self(.push, .post, ["notifications", "push"], .object(body))
    }

    private static func member(_ session: Int64, _ route: String) -> [String] {
        ["sessions", String(session), route]
    }
}

extension WireMember {
    var json: (String, JSONText) { (name, value.json) }
}

extension WireMember.Value {
    fileprivate var json: JSONText {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .int(number)
        case .number(let number): .double(number)
        case .flag(let flag): .bool(flag)
        case .words(let words): .array(words.map { .string($0) })
        }
    }
}

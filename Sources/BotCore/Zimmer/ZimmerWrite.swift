package import CEL

/// A change in Zimmer, ready to be made.
package enum ZimmerWrite: Hashable, Sendable {
    package enum Visibility: Hashable, Sendable {
        case visible, hidden
        case snoozed(until: Timestamp)
    }

    /// Resumes the agent or, while a turn runs, joins its queue: spends money, and Zimmer has no key against a repeat.
    case followUp(session: Int64, prompt: String, goal: String?)
    case visibility(session: Int64, Visibility)
    /// To the trash, never over a running turn or queued messages: Zimmer refuses those.
    case archive(session: Int64)
    /// Replaces the notes.
    case notes(session: Int64, text: String)
    /// A line in the session's log.
    case log(session: Int64, text: String, level: String)
    /// Turns the star over, whatever it was: read before, verify after.
    case toggleFavorite(session: Int64)

    package var session: Int64 {
        switch self {
        case .followUp(let session, _, _), .visibility(let session, _), .archive(let session), .notes(let session, _),
            .log(let session, _, _), .toggleFavorite(let session):
            session
        }
    }

    package var call: ZimmerCall {
        switch self {
        case .followUp: .followUp
        case .visibility: .visibility
        case .archive: .archive
        case .notes: .notes
        case .log: .log
        case .toggleFavorite: .favorite
        }
    }

    /// Making it twice is the same as making it once.
    package var isRepeatable: Bool {
        switch self {
        case .visibility, .archive, .notes: true
        case .followUp, .log, .toggleFavorite: false
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .visibility, .notes: .patch
        case .followUp, .archive, .log, .toggleFavorite: .post
        }
    }

    var path: [String] {
        let route =
            switch self {
            case .followUp: "follow_up"
            case .visibility: "visibility"
            case .archive: "archive"
            case .notes: "notes"
            case .log: "logs"
            case .toggleFavorite: "toggle_favorite"
            }
        return ["sessions", String(session), route]
    }

    var body: JSONText {
        switch self {
        case .followUp(_, let prompt, let goal):
            .object([("prompt", .string(prompt))] + (goal.map { [("goal", .string($0))] } ?? []))
        case .visibility(_, .visible): .object([("visibility", .string("visible"))])
        case .visibility(_, .hidden): .object([("visibility", .string("hidden"))])
        case .visibility(_, .snoozed(let until)):
            .object([
                ("visibility", .string("snoozed")),
                ("snoozed_until", .string(WireTime.wallClock(until))),
                ("timezone", .string("UTC")),
            ])
        case .archive, .toggleFavorite: .object([])
        case .notes(_, let text): .object([("session_notes", .string(text))])
        case .log(_, let text, let level): .object([("content", .string(text)), ("level", .string(level))])
        }
    }
}

/// What became of a write.
package enum WriteOutcome: Sendable {
    case done(WriteReceipt)
    /// It was not done, and asking again would not change that.
    case refused(ZimmerError)
    /// It was not done: worth another try, not before `after` if that is known.
    case retry(ZimmerError, after: Duration?)
    /// Whether it was done is not known: read back before anything else.
    case lost(ZimmerError)

    init(_ error: ZimmerError) {
        switch error.code {
        case .tunnelMissingRoute, .forbidden, .notFound, .refused, .notAllowed: self = .refused(error)
        case .signIn, .edgeRefused, .conflict, .rateLimited, .redirected: self = .retry(error, after: error.retryAfter)
        case .serverError, .unavailable, .transport, .badBody:
            self = error.reach == .notSent ? .retry(error, after: error.retryAfter) : .lost(error)
        }
    }
}

/// Zimmer's answer to a write that it made.
package struct WriteReceipt: Sendable {
    package var status: Int
    /// The whole answer.
    package var document: JSONDocument
    package var requestID: String?

    /// The session as it is now, where the answer shows it.
    package var session: JSONValue? { document.root["session"] }
    /// A follow-up that waits behind a running turn.
    package var isQueued: Bool { status == 202 }
    /// For people.
    package var message: String? { document.root["message"]?.string }
    /// After `toggleFavorite`: whether the star is on now.
    package var favorited: Bool? { document.root["favorited"]?.bool ?? session?["favorited"]?.bool }
}

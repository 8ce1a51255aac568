/// A change in Zimmer, ready to be made: start with the functions that make one (API.md of Zimmer, sections 6 to 12).
package struct ZimmerWrite: Sendable {
    /// By which the gate lets it through, or does not.
    package let call: ZimmerCall
    let method: HTTPRequest.Method
    let path: [String]
    let body: JSONText

    init(
        _ call: ZimmerCall, _ method: HTTPRequest.Method, _ path: [String], _ body: JSONText = .object([])
    ) {
        self.call = call
        self.method = method
        self.path = path
        self.body = body
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
        case .tunnelMissingRoute, .forbidden, .notFound, .refused, .notAllowed, .noSignIn: self = .refused(error)
        // Two at once. Other conflicts are with how things are, and stay.
        case .conflict where error.label == "Conflict" || error.label.isEmpty:
            self = .retry(error, after: error.retryAfter)
        case .conflict: self = .refused(error)
        case .signIn, .edgeRefused, .rateLimited, .redirected: self = .retry(error, after: error.retryAfter)
        case .serverError, .unavailable, .transport, .late, .badBody, .unreadable:
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

    /// - Parameter path: what was written to.
    /// - Throws: `badBody` where the answer confirms nothing, so that nobody knows whether it was done.
    init(_ answer: ZimmerAnswer, to path: [String]) throws(ZimmerError) {
        document = try answer.document()
        status = answer.status
        requestID = answer.requestID
        guard Self.isConfirmation(document.root, of: path) else {
            throw ZimmerError(
                .badBody, status: status, message: "Zimmer's answer does not say that it was done",
                requestID: requestID)
        }
    }

    /// Whether an answer is about what was written: it says something, and names no other object.
    private static func isConfirmation(_ answer: JSONValue, of path: [String]) -> Bool {
        guard answer.count > 0 else { return false }
        let members = ["sessions": "session", "triggers": "trigger", "notifications": "notification"]
        guard path.count > 1, let id = Int64(path[1]), let member = members[path[0]],
            let object = answer.present(member)
        else { return true }
        return object["id"]?.int == id
    }

    /// The session as it is now, where the answer shows it.
    package var session: JSONValue? { document.root["session"] }
    /// A follow-up that waits behind a running turn.
    package var isQueued: Bool { status == 202 }
    /// For people.
    package var message: String? { document.root["message"]?.string }
    /// After `toggleFavorite`: whether the star is on now.
    package var favorited: Bool? { document.root["favorited"]?.bool ?? session?["favorited"]?.bool }
}

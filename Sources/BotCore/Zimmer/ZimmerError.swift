import Rules

/// Why a call of Zimmer did not work out, told apart by what can be done about it. Prints no URL and no body beyond
/// Zimmer's own sentence.
package struct ZimmerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The credential is not accepted: a person has to give another one.
        case signIn
        /// A gate in front of Zimmer wants its own credential; Zimmer's was not looked at.
        case edgeRefused
        /// The tunnel in front of Zimmer does not route this path: its configuration is wrong.
        case tunnelMissingRoute
        case forbidden, notFound, conflict
        /// Zimmer understood and declined.
        case refused
        case rateLimited
        case serverError
        /// Cannot work now, and says so.
        case unavailable
        /// Answered from somewhere else; redirects are not followed.
        case redirected
        /// There was no answer.
        case transport
        /// Zimmer answers, but there was no time left for this call in the reading that it is part of, so it was not made.
        case late
        /// The answer is not what this call answers.
        case badBody
        /// The answer is too large to be taken, or something in it breaks it. With less in it it may be readable.
        case unreadable
        /// No loaded rule and no command needs this call, so it was not made.
        case notAllowed
        /// There is no person's sign-in to make it with, so it was not made.
        case noSignIn
    }

    package var code: Code
    /// Zero when there was no answer.
    package var status: Int
    /// What Zimmer calls it; a handful of labels are stable.
    package var label: String
    /// For people. At most 500 characters, without control characters.
    package var message: String
    package var retryAfter: Duration?
    /// Zimmer's own name for the request, to find it in its log.
    package var requestID: String?
    /// Whether Zimmer can have acted on the call.
    package var reach: HTTPError.Reach

    package init(
        _ code: Code, status: Int = 0, label: String = "", message: String, retryAfter: Duration? = nil,
        requestID: String? = nil, reach: HTTPError.Reach = .maybeSent
    ) {
        self.code = code
        self.status = status
        self.label = label
        self.message = message
        self.retryAfter = retryAfter
        self.requestID = requestID
        self.reach = reach
    }

    package init(_ error: HTTPError) {
        let code = error.code == .tooLarge ? Code.unreadable : .transport
        let advice =
            error.code == .tls
            ? "; see that its certificate is in force and names the host in zimmer.url; an authority of your own goes into "
                + "zimmer.ca_file" : ""
        self.init(code, message: error.description + advice, reach: error.reach)
    }

    package var description: String {
        switch code {
        case .signIn: "Zimmer does not accept the API key: \(message)"
        case .edgeRefused: "the gate in front of Zimmer refused the request; it needs an edge token of its own"
        case .tunnelMissingRoute: "the tunnel in front of Zimmer does not route this path; its configuration is wrong"
        case .redirected: "Zimmer's address redirects to \(message); use the address that answers by itself"
        case .notAllowed, .noSignIn, .transport, .late, .badBody, .unreadable: message
        case .notFound where status != 0 && label.isEmpty:
            "there is no such path at Zimmer's address (404); look at zimmer.url"
        case .rateLimited where retryAfter.map { $0 >= .seconds(120) } ?? false:
            "Zimmer answered \(status), and asks to be left alone for \((retryAfter ?? .zero).brief): \(message)"
        case _ where trouble == .unreachable && status != 0: "what stands before Zimmer answered \(status)"
        default: status == 0 ? message : "Zimmer answered \(status): \(message)"
        }
    }

    /// Waiting can help.
    package var isTransient: Bool {
        switch code {
        case .signIn, .edgeRefused, .conflict, .rateLimited, .serverError, .unavailable, .redirected, .transport, .late,
            .badBody, .unreadable:
            true
        case .tunnelMissingRoute, .forbidden, .notFound, .refused, .notAllowed, .noSignIn: false
        }
    }
}

extension ZimmerError {
    /// For a write to a session that was read just before: a path that Zimmer itself does not know is a call that it is too
    /// old for.
    func explained(for call: ZimmerCall) -> ZimmerError {
        guard code == .notFound, label.isEmpty else { return self }
        let what = call == .visibility ? "to snooze, hide or show sessions" : "for the call '\(call.rawValue)'"
        var error = self
        error.code = .refused
        error.message = "this Zimmer is too old \(what)"
        return error
    }
}

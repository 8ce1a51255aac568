import AdapterKit

/// Why a call did not do what it should.
struct MatrixError: Error, Hashable, Sendable {
    /// What is to be done about it.
    enum Kind: Hashable, Sendable {
        /// Later. A limit (429) is one of the whole account.
        case wait(Duration?, isLimit: Bool)
        /// Later: the message may be there already, which its transaction will tell.
        case lost
        /// A few more times.
        case maybe
        /// Later: whoever answered is no homeserver, or cut its answer off.
        case unreadable
        /// With another token (401).
        case newToken
        /// Not before a person has done something for the account.
        case accountRefused
        /// The account may not do this in this room; it may not even be in it.
        case forbidden
        /// There is no such thing, or none that the account may know of.
        case notFound
        /// With less of it (413).
        case smaller
        /// It is there already: done.
        case duplicate
        /// Not at all, and nothing else in this room either.
        case roomRefused
        /// Not at all.
        case refused
    }

    var kind: Kind
    /// What the homeserver calls it: `M_FORBIDDEN`.
    var code: String?
    /// In words, fit to be shown.
    var reason: String

    /// What a delivery comes to that ended so.
    var outcome: DeliveryOutcome {
        switch kind {
        case .wait(let duration, let isLimit):
            .wait(reason: reason, retryAfter: duration, affects: isLimit ? .account : .channel)
        case .unreadable: .wait(reason: reason, retryAfter: nil)
        case .lost: .lost(reason: reason)
        case .maybe: .maybe(reason: reason)
        case .newToken, .accountRefused: .never(reason: reason, affects: .account)
        case .forbidden, .notFound, .roomRefused: .never(reason: reason, affects: .channel)
        case .smaller, .duplicate, .refused: .never(reason: reason)
        }
    }

    /// There is a connection; it was used too much.
    var isLimit: Bool {
        if case .wait(_, isLimit: true) = kind { true } else { false }
    }

    /// Waiting alone does not help.
    var isFinal: Bool {
        switch kind {
        case .wait, .lost, .maybe, .unreadable: false
        default: true
        }
    }
}

extension MatrixError {
    /// Reads an answer: its JSON, or why it is a failure ("Standard error response", "Rate limiting").
    ///
    /// - Parameter redactor: Knows the secrets of the request, which an answer may repeat.
    static func read(
        _ response: HTTPResponse, from address: HTTPAddress, redactor: Redactor, now: WallTime
    ) throws(MatrixError) -> JSON {
        let body = JSON(response.body)
        if (200...299).contains(response.status) {
            if let body, case .object = body { return body }
            let reason = "\(address) answered \(response.status), but not as a homeserver does: correct `homeserver`"
            throw MatrixError(kind: .unreadable, reason: reason)
        }
        let outcome = response.outcome(from: address, redactor: redactor, now: now)
        guard let body, let code = body["errcode"]?.string else {
            let advice = response.status == 404 ? ", but not as a homeserver does: correct `homeserver`" : ""
            throw MatrixError(kind: kind(ofStatus: response.status, outcome), reason: (outcome.reason ?? "") + advice)
        }
        let words = redactor.redact("\(code) \(body["error"]?.string ?? "")").printableLine.clipped(toBytes: 256)
        throw MatrixError(
            kind: kind(ofCode: code, response.retryAfter(now: now)) ?? kind(ofStatus: response.status, outcome),
            code: code, reason: "\(address) answered \(response.status): \(words)")
    }

    /// - Parameter isMessage: The request was one that may have had its effect.
    init(_ failure: HTTPFailure, isMessage: Bool, from address: HTTPAddress, redactor: Redactor) {
        let outcome = failure.outcome(from: address, redactor: redactor)
        let kind: Kind =
            switch outcome {
            case .lost where isMessage: .lost
            case .never: .roomRefused
            default: .wait(nil, isLimit: false)
            }
        self.init(kind: kind, reason: outcome.reason ?? "")
    }

    private static func kind(ofCode code: String, _ retryAfter: Duration?) -> Kind? {
        switch code {
        case "M_LIMIT_EXCEEDED": .wait(retryAfter, isLimit: true)
        case "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN": .newToken
        case "M_USER_DEACTIVATED", "M_CONSENT_NOT_GIVEN", "M_USER_LOCKED", "M_USER_SUSPENDED": .accountRefused
        case "M_FORBIDDEN": .forbidden
        case "M_NOT_FOUND": .notFound
        case "M_TOO_LARGE": .smaller
        case "M_DUPLICATE_ANNOTATION": .duplicate
        default: nil
        }
    }

    private static func kind(ofStatus status: Int, _ outcome: DeliveryOutcome) -> Kind {
        switch (status, outcome) {
        case (413, _): .smaller
        case (401, _): .accountRefused
        case (_, .wait(_, let retryAfter, let scope)): .wait(retryAfter, isLimit: scope == .account)
        case (_, .maybe): .maybe
        case (_, .never(_, .message)): .refused
        default: .roomRefused
        }
    }
}

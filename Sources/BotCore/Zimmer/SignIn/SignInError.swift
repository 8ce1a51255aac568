package import CEL

/// Why there is no token to act with.
package enum SignInError: Error, Sendable, CustomStringConvertible {
    /// Nobody has signed in.
    case none
    /// Zimmer does not take it any more.
    case ended(reason: String)
    /// The answer to a refresh got lost. Whether that has spent the token is known to Zimmer alone, and it may take a token
    /// that comes again for a stolen one.
    case inDoubt(since: Timestamp)
    /// It is for another client or another server than the rules file names.
    case foreign(String)
    case store(SignInStoreError)
    /// Not now; nothing is lost.
    case failed(ZimmerError)

    package var description: String {
        let remedy = "stop the bot and run 'zimmer-bot login'"
        return switch self {
        case .none: "nobody has signed in to Zimmer; \(remedy)"
        case .ended(let reason): "Zimmer has ended the sign-in (\(reason)); \(remedy)"
        case .inDoubt(let since):
            "the answer to a refresh of the sign-in got lost at \(since.wholeSeconds); \(remedy), or with --retry to"
                + " try the kept one once more"
        case .foreign(let what): "the sign-in is \(what); \(remedy)"
        case .store(let error): error.description
        case .failed(let error): "the sign-in cannot be refreshed now: \(error)"
        }
    }

    /// A person is needed before it can go on.
    package var needsPerson: Bool {
        if case .failed = self { false } else { true }
    }

    /// The same as an answer to a call.
    var zimmerError: ZimmerError {
        guard case .failed(var error) = self else {
            return ZimmerError(.noSignIn, message: description, reach: .notSent)
        }
        // The call itself was not made.
        error.reach = .notSent
        return error
    }
}

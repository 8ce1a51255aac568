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

    package var description: String { remedy.map { "\(problem); \($0)" } ?? problem }

    var problem: String {
        switch self {
        case .none: "nobody has signed in to Zimmer"
        case .ended(let reason): "Zimmer has ended the sign-in (\(reason))"
        case .inDoubt(let since): "the answer to a refresh of the sign-in got lost at \(since.wholeSeconds)"
        case .foreign(let what): "the sign-in is \(what)"
        case .store(let error): error.problem
        case .failed(let error): "the sign-in cannot be refreshed now: \(error)"
        }
    }

    /// What a person can do; nil where waiting is all.
    var remedy: String? {
        let login = "stop the bot and run 'zimmer-bot login'"
        return switch self {
        case .none, .ended, .foreign: login
        case .inDoubt: "\(login), or with --retry to try the kept one once more"
        case .store(let error): error.remedy
        case .failed: nil
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

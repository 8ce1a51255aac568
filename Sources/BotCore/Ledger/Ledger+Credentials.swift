package import CEL

/// How the credentials for Zimmer stand that have to be renewed. Holds none of them.
package struct CredentialReport: Hashable, Sendable {
    /// Nil where the rules file wants no sign-in.
    package var signIn: SignInStanding?
    /// When the token for the gate in front of Zimmer ends; nil where there is none, or it does not say.
    package var edgeExpiry: Timestamp?
    /// Why a token that was put in its place is not used.
    package var edgeFault: TokenFault?

    package init(signIn: SignInStanding? = nil, edgeExpiry: Timestamp? = nil, edgeFault: TokenFault? = nil) {
        self.signIn = signIn
        self.edgeExpiry = edgeExpiry
        self.edgeFault = edgeFault
    }

    /// Time for a person to get another one.
    private static let warning: Duration = .seconds(86_400)
    /// Gates give them for a month or so.
    private static let longest: Duration = .seconds(2 * 366 * 86_400)

    /// What is to be said of the edge token at that time, by this machine's clock.
    package static func edgeProblem(_ expiry: Timestamp?, now: Timestamp) -> String? {
        guard let expiry, expiry - now < warning else { return nil }
        let when = expiry.wholeSeconds
        return expiry <= now
            ? "The edge token for Zimmer expired at \(when): get a new one and put it in its place"
            : "The edge token for Zimmer expires at \(when): get a new one before that and put it in its place"
    }

    /// What is odd about when an edge token says that it ends; the bot goes on with it all the same.
    static func edgeOddity(_ expiry: EdgeToken.Expiry, now: Timestamp) -> String? {
        let advice = "nobody will hear of its end before it comes. If it is not the gate's, get one in a browser"
        switch expiry {
        case .unsaid: return nil
        case .nonsense: return "what the edge token for Zimmer has as its end ('exp') is no time: \(advice)"
        case .at(let time) where time - now > longest:
            return
                "the edge token for Zimmer says that it lasts until \(time.wholeSeconds), which no gate gives: \(advice)"
        case .at: return nil
        }
    }

    /// What there is to say before the bot starts.
    package static func edgeWarning(_ expiry: EdgeToken.Expiry, now: Timestamp) -> String? {
        guard case .at(let time) = expiry else { return edgeOddity(expiry, now: now) }
        return edgeProblem(time, now: now) ?? edgeOddity(expiry, now: now)
    }

    func causes(now: Timestamp) -> [NoticeBook.Cause] {
        var causes: [NoticeBook.Cause] = []
        if let edgeFault {
            let text = "What was put in the place of the edge token for Zimmer is not used: \(edgeFault)"
            causes.append(NoticeBook.Cause(id: "edge_token", text: text))
        } else if let problem = Self.edgeProblem(edgeExpiry, now: now) {
            causes.append(NoticeBook.Cause(id: "edge_token", text: problem))
        }
        if let signIn, signIn.state != .ok, let problem = signIn.problem {
            let text = "Nothing can be done as a person in Zimmer: \(problem)"
            causes.append(NoticeBook.Cause(id: "sign_in:\(signIn.state.rawValue)", text: text))
        }
        return causes
    }
}

extension Ledger {
    /// Takes how the credentials stand, for notices, `status` and rules.
    func note(_ report: CredentialReport) {
        credentials = report
        observation.note(signIn: report.signIn?.word ?? .ok)
    }
}

extension SignInStanding {
    /// As rules see it.
    var word: ZimmerStanding.SignIn {
        switch state {
        case .ok: .ok
        case .edgeRefused: .edgeRefused
        case .expired, .inDoubt, .unusable: .expired
        }
    }
}

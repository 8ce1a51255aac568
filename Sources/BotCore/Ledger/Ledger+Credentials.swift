package import CEL

/// How the credentials for Zimmer stand that have to be renewed. Holds none of them.
package struct CredentialReport: Hashable, Sendable {
    /// Nil where the rules file wants no sign-in.
    package var signIn: SignInStanding?
    /// When the token for the gate in front of Zimmer ends; nil where there is none, or it does not say.
    package var edgeExpiry: Timestamp?

    package init(signIn: SignInStanding? = nil, edgeExpiry: Timestamp? = nil) {
        self.signIn = signIn
        self.edgeExpiry = edgeExpiry
    }

    /// Time for a person to get another one.
    private static let warning: Duration = .seconds(86_400)

    /// What is to be said of the edge token at that time, by this machine's clock.
    package static func edgeProblem(_ expiry: Timestamp?, now: Timestamp) -> String? {
        guard let expiry, expiry - now < warning else { return nil }
        let when = expiry.wholeSeconds
        return expiry <= now
            ? "The edge token for Zimmer expired at \(when): get a new one and put it in its place"
            : "The edge token for Zimmer expires at \(when): get a new one before that and put it in its place"
    }

    func causes(now: Timestamp) -> [NoticeBook.Cause] {
        var causes: [NoticeBook.Cause] = []
        if let problem = Self.edgeProblem(edgeExpiry, now: now) {
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

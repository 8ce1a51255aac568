/// How a person's sign-in stands, for those who watch the bot. Holds no token.
package struct SignInStanding: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, Codable {
        case ok
        /// A person has to approve: for the first time, or again.
        case expired
        /// It may be spent; a person has to look.
        case inDoubt = "in_doubt"
        /// The gate in front of Zimmer keeps it from being refreshed.
        case edgeRefused = "edge_refused"
        /// Its file cannot be used, or is for another client or server.
        case unusable
    }

    package var state: State
    /// What Zimmer said last.
    package var level: SignInLevel?
    /// In words, with what to do.
    package var problem: String?

    package init(_ state: State, _ level: SignInLevel?, _ problem: String? = nil) {
        self.state = state
        self.level = level
        self.problem = problem
    }
}

extension SignInError {
    var state: SignInStanding.State {
        switch self {
        case .none, .ended: .expired
        case .inDoubt: .inDoubt
        case .foreign, .store: .unusable
        case .failed: .ok
        }
    }
}

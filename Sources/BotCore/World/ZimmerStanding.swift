package import CEL

/// How well Zimmer can be reached, as the readers last found it.
package struct ZimmerStanding: Hashable, Sendable {
    /// What became of the credential.
    package enum SignIn: String, CaseIterable, Sendable {
        case ok, expired
        case edgeRefused = "edge_refused"
    }

    package var isReachable: Bool
    /// The last whole reading of the board; nil before the first.
    package var lastReadAt: Timestamp?
    /// When this process began to try.
    package var startedAt: Timestamp
    /// Why the last reading failed, in words.
    package var error: String?
    /// Zimmer's clock minus ours.
    package var serverTimeSkew: Duration
    package var signIn: SignIn

    package init(
        isReachable: Bool, lastReadAt: Timestamp?, startedAt: Timestamp, error: String? = nil,
        serverTimeSkew: Duration = .zero, signIn: SignIn = .ok
    ) {
        self.isReachable = isReachable
        self.lastReadAt = lastReadAt
        self.startedAt = startedAt
        self.error = error
        self.serverTimeSkew = serverTimeSkew
        self.signIn = signIn
    }

    /// The value of the variable `zimmer`.
    package var object: Object {
        Object(
            WorldSchema.zimmer,
            named: [
                "reachable": .bool(isReachable),
                "last_read_at": lastReadAt.map(Value.timestamp) ?? .null,
                "stale_for": .timestamp(lastReadAt ?? startedAt),
                "error": error.map(Value.string) ?? .null,
                "server_time_skew": .duration(serverTimeSkew),
                "sign_in": .string(signIn.rawValue),
            ])
    }
}

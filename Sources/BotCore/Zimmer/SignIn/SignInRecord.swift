package import CEL

/// What is kept of a sign-in between two runs of the program.
package struct SignInRecord: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// `doubtedSince`: when the refresh token was presented first without an answer; it may be spent.
        case active(TokenPair, doubtedSince: Timestamp?)
        /// Zimmer does not take the tokens any more, so they are not kept.
        case ended(reason: String, at: Timestamp)
    }

    package var client: SignInClient
    /// The address that the tokens are for: they go nowhere else.
    package var server: String
    package var signedInAt: Timestamp
    package var state: State

    package init(client: SignInClient, server: String, signedInAt: Timestamp, state: State) {
        self.client = client
        self.server = server
        self.signedInAt = signedInAt
        self.state = state
    }

    package var pair: TokenPair? {
        guard case .active(let pair, _) = state else { return nil }
        return pair
    }

    /// The tokens, where they may be used by this client at this server, and nothing is known against them.
    func pair(of client: SignInClient, at server: String, now: Timestamp) throws(SignInError) -> TokenPair {
        guard self.client == client else { throw .foreign("of client \(self.client.id)") }
        guard self.server.utf8.elementsEqual(server.utf8) else { throw .foreign("for \(self.server)") }
        switch state {
        case .ended(let reason, _): throw .ended(reason: reason)
        case .active(let pair, let doubt):
            if let doubt, pair.expiresAt <= now, now - doubt >= SignIn.forgiveness { throw .inDoubt(since: doubt) }
            return pair
        }
    }

    func with(_ state: State) -> SignInRecord {
        var copy = self
        copy.state = state
        return copy
    }
}

// The form of the file. Whatever is not exactly that is damaged, not a sign-in of its own kind.
extension SignInRecord {
    private static let version: Int64 = 1

    var json: JSONText {
        var members: [(String, JSONText)] = [
            ("version", .int(Self.version)), ("client", .string(client.id)), ("server", .string(server)),
            ("signed_in_at", .string(signedInAt.description)),
        ]
        switch state {
        case .active(let pair, let doubt):
            members += [
                ("access_token", .string(pair.access.secret.exposed)),
                ("expires_at", .string(pair.expiresAt.description)),
                ("refresh_token", .string(pair.refresh.secret.exposed)),
                ("level", .string(pair.level.rawValue)),
            ]
            if let doubt { members.append(("doubted_since", .string(doubt.description))) }
        case .ended(let reason, let at):
            members += [("ended_at", .string(at.description)), ("reason", .string(reason))]
        }
        return .object(members)
    }

    /// Nil when it is none.
    init?(_ root: JSONValue) {
        func time(_ name: String) -> Timestamp? { root[name]?.string.flatMap(WireTime.instant) }
        guard root["version"]?.int == Self.version, let client = root["client"]?.string.flatMap(SignInClient.init),
            let server = root["server"]?.string, ZimmerAddress(server)?.text == server,
            let signedInAt = time("signed_in_at")
        else { return nil }
        let state: State
        if let reason = root["reason"]?.string, let at = time("ended_at") {
            state = .ended(reason: reason, at: at)
        } else {
            guard let access = TokenPair.token(root["access_token"]), let expiresAt = time("expires_at"),
                let refresh = TokenPair.token(root["refresh_token"]),
                let level = root["level"]?.string.flatMap(SignInLevel.init(rawValue:)),
                (root["doubted_since"] == nil) == (time("doubted_since") == nil)
            else { return nil }
            let pair = TokenPair(
                access: AccessToken(secret: access), expiresAt: expiresAt, refresh: RefreshToken(secret: refresh),
                level: level)
            state = .active(pair, doubtedSince: time("doubted_since"))
        }
        self.init(client: client, server: server, signedInAt: signedInAt, state: state)
    }
}

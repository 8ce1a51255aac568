package import CEL

/// Opens calls as a person, for an hour or so.
package struct AccessToken: Hashable, Sendable {
    let secret: APIKey
}

/// Gets the next pair of tokens, once: every answer to it spends it.
package struct RefreshToken: Hashable, Sendable {
    let secret: APIKey
}

/// What the person has let a sign-in do. Zimmer asks its own record at every call: this is only what it said last.
package enum SignInLevel: String, Hashable, Sendable {
    /// Carries words that count as nobody's.
    case relay
    /// Acts for the person: what it sends is recorded as the person's own.
    case acting

    static let actingScope = "zimmer:act-as-human"

    /// - Parameter scope: words with blanks between them; what is not there is not granted.
    init(scope: String) {
        let isActing = scope.split(separator: " ").contains { $0.utf8.elementsEqual(Self.actingScope.utf8) }
        self = isActing ? .acting : .relay
    }

    /// As Zimmer's page calls it.
    package var description: String {
        switch self {
        case .relay: "relay only"
        case .acting: "acts on the person's behalf"
        }
    }
}

/// What the token endpoint hands out.
package struct TokenPair: Hashable, Sendable {
    package var access: AccessToken
    /// On this machine's clock, counted from before the request.
    package var expiresAt: Timestamp
    package var refresh: RefreshToken
    package var level: SignInLevel

    /// The shortest life that a deployment can set, for an answer that does not say.
    private static let shortestLife: Int64 = 300

    /// Nil when the answer is none; nothing of it is shown.
    ///
    /// - Parameter asked: when the request was made.
    init?(_ root: JSONValue, asked: Timestamp) {
        guard let access = Self.token(root["access_token"]), let refresh = Self.token(root["refresh_token"]),
            ASCII.equalIgnoringCase(root["token_type"]?.string ?? "Bearer", "Bearer")
        else { return nil }
        let life = root["expires_in"]?.int ?? Self.shortestLife
        self.init(
            access: AccessToken(secret: access), expiresAt: asked + .seconds(min(max(life, 0), 31_536_000)),
            refresh: RefreshToken(secret: refresh), level: SignInLevel(scope: root["scope"]?.string ?? ""))
    }

    init(access: AccessToken, expiresAt: Timestamp, refresh: RefreshToken, level: SignInLevel) {
        self.access = access
        self.expiresAt = expiresAt
        self.refresh = refresh
        self.level = level
    }

    /// A token goes into a header and a form as it is.
    static func token(_ value: JSONValue?) -> APIKey? {
        guard let text = value?.string, (1...4096).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return APIKey(text)
    }
}

/// Whom Zimmer takes the bot for when a person signs it in.
package enum SignInClient: Hashable, Sendable {
    /// The app of Zimmer itself, whose sign-ins open the API. Meant for no one else: it works because all clients are
    /// public, and may end at any time.
    case zimmerIOS
    /// One that `login --register` has made; its sign-ins open `/mcp` alone.
    case registered(String)

    package static let zimmerIOSName = "zimmer-ios"
    static let registeredPrefix = "zmc_"
    static let registeredRedirect = "http://127.0.0.1:8976/callback"

    /// Nil for what is neither.
    package init?(_ id: String) {
        if id.utf8.elementsEqual(Self.zimmerIOSName.utf8) {
            self = .zimmerIOS
        } else if id.hasPrefix(Self.registeredPrefix), id.utf8.count > Self.registeredPrefix.utf8.count {
            self = .registered(id)
        } else {
            return nil
        }
    }

    package var id: String {
        switch self {
        case .zimmerIOS: Self.zimmerIOSName
        case .registered(let id): id
        }
    }

    /// Where the browser is sent with the person's answer. Nobody listens there: the person copies the address.
    package var redirect: String {
        switch self {
        case .zimmerIOS: "com.tadasant.zimmer:/oauth/callback"
        case .registered: Self.registeredRedirect
        }
    }

    /// Its sign-ins are accepted by the API, not only by `/mcp`.
    package var opensAPI: Bool { self == .zimmerIOS }
}

import AdapterKit

/// A server and who we are there: what the channels of one connection have in common.
struct ServerSettings: Hashable, Sendable {
    /// How we log in to a services account. Where it is set, no channel is ever joined without.
    enum Login: Hashable, Sendable {
        case plain(account: String, password: Secret)
        /// By the certificate of the connection.
        case external(account: String?)

        var mechanism: String {
            switch self {
            case .plain: "PLAIN"
            case .external: "EXTERNAL"
            }
        }
    }

    var endpoint: ByteStreamEndpoint
    var nick: String
    var user: String
    var realName: String
    var password: Secret?
    var login: Login?

    /// What must not be shown.
    var secrets: [Secret] {
        var secrets = password.map { [$0] } ?? []
        if case .plain(_, let password) = login { secrets.append(password) }
        return secrets
    }

    var address: String { "\(endpoint.host):\(endpoint.port)" }
}

/// Why a connection ended, and how soon another may be tried.
struct Ending: Error, Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        case lost
        /// We were not let in as who we are. Trying often makes the account's owner nervous.
        case notLoggedIn
        /// Banned, or told that we come too often.
        case unwelcome
    }

    var cause: Cause
    /// For people: what happened, and what they can do about it.
    var reason: String

    init(_ cause: Cause, _ reason: String) {
        self.cause = cause
        self.reason = reason
    }

    /// What `ERROR` said.
    static func error(_ text: String) -> Ending {
        let words = text.lowercased()
        let signs = ["throttl", "too fast", "banned", "k-line", "g-line", "z-line", "klined", "glined", "too many"]
        let cause: Cause = signs.contains { words.contains($0) } ? .unwelcome : .lost
        return Ending(cause, "the server ended the connection: \(text)")
    }
}

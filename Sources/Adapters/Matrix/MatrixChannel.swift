import AdapterKit

/// A channel of an account, as it was configured.
struct MatrixChannel: Sendable {
    var name: String
    /// `!id` or `#alias:server`.
    var room: String
    /// A room that others encrypt may be written to in the clear.
    var allowsUnencrypted: Bool
    var monitor: any ConnectionMonitor
    var listener: (any ChatListener)?

    var isAlias: Bool { room.hasPrefix("#") }
}

/// Who the bot is at a homeserver.
struct MatrixIdentity: Hashable, Sendable {
    enum Credential: Hashable, Sendable {
        case token(Secret)
        case password(user: String, Secret, device: String)
    }

    /// Without a slash at its end.
    var homeserver: String
    var address: HTTPAddress
    var credential: Credential

    var secret: Secret {
        switch credential {
        case .token(let token): token
        case .password(_, let password, _): password
        }
    }
}

/// What keeps an account from working, told to a person.
enum MatrixAdvice {
    static func refused(_ error: MatrixError, by identity: MatrixIdentity) -> String {
        let what =
            switch (error.code, identity.credential) {
            case ("M_USER_DEACTIVATED", _):
                "the account is deactivated: use another one"
            case ("M_CONSENT_NOT_GIVEN", _):
                "the homeserver wants its terms to be accepted: sign in as the bot once and do so"
            case ("M_USER_LOCKED", _), ("M_USER_SUSPENDED", _):
                "the account is locked: ask whoever runs the homeserver"
            case (_, .token):
                "the access token is not accepted: put a new one in `access_token`"
            case (_, .password):
                "the sign-in is not accepted: correct `user` and `password`"
            }
        return "\(what) (\(error.reason))"
    }

    static func encrypted(_ room: String) -> String {
        "\(room) is encrypted, which this adapter does not speak: give the bot a room without encryption, "
            + "or write `allow_unencrypted: true` to send messages there that the homeserver can read"
    }

    static func replaced(_ room: String, by successor: String) -> String {
        "\(room) was replaced by \(successor), which was not made by the same person: write the room that you want in `room`"
    }

    static func removed(from room: String, by user: String) -> String {
        "the bot was removed from \(room) by \(user): invite it again"
    }

    static func notInvited(_ room: String, _ error: MatrixError) -> String {
        "the bot may not enter \(room): invite it, or correct `room` (\(error.reason))"
    }

    static func notAllowed(_ room: String, _ error: MatrixError) -> String {
        "the bot may not write in \(room): give it the power to (\(error.reason))"
    }
}

package import AdapterKit
import Synchronization

/// `adapter: matrix`: messages to a room of a Matrix homeserver.
package struct MatrixKind: AdapterKind {
    package let name = "matrix"
    package let schema = ConfigurationSchema([
        ConfigurationKey("homeserver", .text, required: true, "Where the homeserver's client API is: `https://…`."),
        ConfigurationKey("access_token", .secret, "Signs the bot in, instead of `user` and `password`."),
        ConfigurationKey("user", .text, "The bot's user id, or the part before the colon."),
        ConfigurationKey("password", .secret, "Of `user`."),
        ConfigurationKey(
            "device_id", .text, default: .text("ZIMMERBOT"),
            "Names the session of `user`; another bot with the same user needs another one."),
        ConfigurationKey("room", .text, required: true, "A room id (`!…`) or an alias (`#name:server`)."),
        ConfigurationKey(
            "notice", .boolean, default: .boolean(true),
            "Sends `m.notice`, which other bots leave unanswered; `false`: as a person's text."),
        ConfigurationKey(
            "allow_unencrypted", .boolean, default: .boolean(false),
            "Writes in a room that is encrypted all the same, readable for the homeserver."),
    ])

    /// One account for all channels that use it.
    private let accounts = AccountRegistry()

    package init() {}

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        let identity = try Self.identity(configuration, isGuest: context.isGuest)
        for name in context.mentions where Mentions([name]).isEmpty {
            throw ConfigurationError(key: "mention", "calls nobody with '\(name)': write @name:server or @room")
        }
        let channel = MatrixChannel(
            name: context.channelName, room: try Self.room(configuration),
            allowsUnencrypted: try configuration.boolean("allow_unencrypted"), monitor: context.monitor,
            listener: context.listener)
        let (name, connection) = try accounts.connection(for: identity, context)
        connection.account.add(channel)
        return MatrixAdapter(
            account: name, connection: connection, channel: channel,
            composer: EventComposer(isNotice: try configuration.boolean("notice")), log: context.log)
    }

    private static func identity(
        _ configuration: AdapterConfiguration, isGuest: Bool
    ) throws(ConfigurationError) -> MatrixIdentity {
        var homeserver = try configuration.text("homeserver")
        while homeserver.hasSuffix("/") { homeserver.removeLast() }
        guard
            let address = HTTPAddress(Secret(homeserver)), !homeserver.contains(where: { "?#@\\".contains($0) }),
            // What every path of the API begins with is written behind it.
            !homeserver.contains("/_matrix")
        else {
            throw ConfigurationError(key: "homeserver", "needs the URL of a homeserver: https://matrix.example.com")
        }
        return MatrixIdentity(
            homeserver: homeserver, address: address, credential: try credential(configuration, isGuest: isGuest))
    }

    private static func credential(
        _ configuration: AdapterConfiguration, isGuest: Bool
    ) throws(ConfigurationError) -> MatrixIdentity.Credential {
        if configuration.has("access_token") {
            for key in ["user", "password"] where configuration.has(key) {
                throw ConfigurationError(key: key, "has no use beside 'access_token': take one of them away")
            }
            let token = try configuration.secret("access_token")
            guard isHeaderText(token.reveal()) else {
                throw ConfigurationError(key: "access_token", "is no access token: it has blanks or control characters")
            }
            return .token(token)
        }
        for key in ["user", "password"] where !configuration.has(key) {
            throw ConfigurationError(key: key, "is missing: write 'access_token', or 'user' and 'password'")
        }
        let user = try configuration.text("user")
        guard !user.isEmpty else { throw ConfigurationError(key: "user", "needs a user id: @bot:example.com") }
        let device = try configuration.text("device_id")
        guard isHeaderText(device), device.utf8.count <= 64 else {
            throw ConfigurationError(key: "device_id", "needs a short word such as ZIMMERBOT")
        }
        // Signing in ends the session that the device has.
        return .password(
            user: user, try configuration.secret("password"), device: isGuest ? "\(device)-TEST" : device)
    }

    private static func room(_ configuration: AdapterConfiguration) throws(ConfigurationError) -> String {
        let room = try configuration.text("room")
        // Room ids of newer rooms name no server, so nothing else can be told of them.
        let isID = room.hasPrefix("!")
        let isAlias = room.hasPrefix("#") && room.dropFirst(2).dropLast().contains(":")
        guard
            isID || isAlias, (2...255).contains(room.utf8.count), !room.contains(where: \.isWhitespace),
            room.printableLine.utf8.elementsEqual(room.utf8)
        else {
            throw ConfigurationError(key: "room", "needs a room id (!…) or an alias (#name:server)")
        }
        return room
    }

    private static func isHeaderText(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// The accounts of a rules file.
private final class AccountRegistry: Sendable {
    private struct Entry {
        var name: String
        var connection: MatrixConnection
    }

    private let entries = Mutex<[Entry]>([])

    func connection(
        for identity: MatrixIdentity, _ context: AdapterContext
    ) throws(ConfigurationError) -> (name: String, MatrixConnection) {
        try entries.withLock { entries throws(ConfigurationError) in
            if let entry = entries.first(where: { $0.connection.account.identity == identity }) {
                return (entry.name, entry.connection)
            }
            if entries.contains(where: { $0.connection.account.identity.sharesDevice(with: identity) }) {
                throw ConfigurationError(
                    key: "password", "is not the one that another channel has for the same user: write the same")
            }
            // A token does not tell whose it is, and nothing of it may be shown.
            let who =
                switch identity.credential {
                case .token: "access token \(entries.count + 1)"
                case .password(let user, _, _): user
                }
            let entry = Entry(
                name: "matrix \(identity.address) \(who)",
                connection: MatrixConnection(MatrixAccount(identity, context)))
            entries.append(entry)
            return (entry.name, entry.connection)
        }
    }
}

extension MatrixIdentity {
    /// Two sign-ins of one device would end each other.
    fileprivate func sharesDevice(with other: MatrixIdentity) -> Bool {
        guard
            homeserver == other.homeserver, case .password(let user, _, let device) = credential,
            case .password(let otherUser, _, let otherDevice) = other.credential
        else { return false }
        return user == otherUser && device == otherDevice
    }
}

package import AdapterKit

/// `adapter: irc`: messages as lines of an IRC channel.
package struct IRCKind: AdapterKind {
    package let name = "irc"
    package let schema = ConfigurationSchema([
        ConfigurationKey("server", .text, required: true, "The server's name or address."),
        ConfigurationKey("port", .integer, default: .integer(6697), "The server's port."),
        ConfigurationKey("tls", .boolean, default: .boolean(true), "Whether to encrypt; the certificate is checked."),
        ConfigurationKey(
            "ca_file", .path, "Certificates (PEM) to trust in place of the system's."),
        ConfigurationKey("nick", .text, required: true, "The bot's nick."),
        ConfigurationKey("user", .text, "The user name shown behind the nick; the nick, if absent."),
        ConfigurationKey("realname", .text, default: .text("zimmer-bot"), "What the server shows about the bot."),
        ConfigurationKey("channel", .text, required: true, "The channel to speak in, such as '#ops'."),
        ConfigurationKey("key", .secret, "The channel's password."),
        ConfigurationKey("sasl", .section(login), "Logs in to a services account; no channel is joined without."),
        ConfigurationKey("password", .secret, "The server's password."),
        ConfigurationKey(
            "notice", .boolean, default: .boolean(true), "Whether to speak in notices, which other bots do not answer."),
        ConfigurationKey(
            "colors", .choice(["auto", "never"]), default: .text("auto"),
            "Whether to use bold and colours; auto does unless the channel forbids them."),
    ])

    private static let login = ConfigurationSchema([
        ConfigurationKey(
            "mechanism", .choice(["plain", "external"]), default: .text("plain"),
            "By password, or by the certificate of the connection."),
        ConfigurationKey("account", .text, "The account's name; with 'external' often not needed."),
        ConfigurationKey("password", .secret, "The account's password, for 'plain'."),
        ConfigurationKey("certificate", .path, "The bot's certificate (PEM), for 'external'."),
        ConfigurationKey("key", .path, "The certificate's key (PEM), if it is not in the same file."),
    ])

    private let connections = ConnectionRegistry()

    package init() {}

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        let reader = IRCConfiguration(configuration)
        let channel = try reader.channel()
        let key = try reader.channelKey()
        let connection = try connections.connection(try reader.settings(), context)
        let command = try configuration.boolean("notice") ? "NOTICE" : "PRIVMSG"
        let usesFormats = try configuration.text("colors") == "auto"
        let slot = connection.add(
            ChannelSlot(
                name: context.channelName, membership: 0, command: command, usesFormats: usesFormats,
                monitor: context.monitor, listener: context.listener),
            channel: channel, key: key, rate: context.rate)
        guard let slot else {
            throw ConfigurationError(key: "key", "is not the same as in another channel that leads to \(channel)")
        }
        return IRCAdapter(
            connection: connection, slot: slot, channel: channel, command: command, usesFormats: usesFormats)
    }
}

import AdapterKit

/// One of the bot's channels on a connection. Several may lead to the same channel of the server.
struct ChannelSlot: Sendable {
    /// Under `channels:`.
    var name: String
    /// Of the connection's.
    var membership: Int
    /// `NOTICE` or `PRIVMSG`.
    var command: String
    var usesFormats: Bool
    var monitor: any ConnectionMonitor
    var listener: (any ChatListener)?
    /// What the monitor was told last.
    var reported: ConnectionState?
}

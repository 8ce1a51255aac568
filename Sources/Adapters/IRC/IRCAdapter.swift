// Start here: `IRCKind` is what may be configured, `Session` what happens on a connection, `IRCConnection` how it is held,
// `MessageLines` and `LineLayout` how a message becomes lines.

import AdapterKit

/// Says messages in one channel of an IRC server.
struct IRCAdapter: Adapter {
    let connection: IRCConnection
    let slot: Int
    let channel: String
    let command: String
    let usesFormats: Bool

    var account: String { "irc \(connection.settings.nick)@\(connection.settings.address)" }

    func run() async {
        await connection.run()
    }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        await connection.deliver(Draft(delivery, slot: slot))
    }

    func render(_ delivery: Delivery) -> [RenderedPart] {
        let limit = Session.textLimit(
            command: command, target: channel, nick: connection.settings.nick, user: nil, host: nil)
        return Draft(delivery, slot: slot).lines(limit: limit).compactMap { line in
            let text = usesFormats ? line.formatted : line.plain
            return (try? OutgoingLine(command, [channel], text: text)).map {
                RenderedPart(label: "line", bytes: $0.bytes)
            }
        }
    }
}

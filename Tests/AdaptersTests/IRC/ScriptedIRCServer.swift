import AdapterKit
import AdapterKitTesting
import Synchronization
import Testing

@testable import IRCAdapter

/// The other side of an IRC connection, played by the test line by line.
final class ScriptedIRCServer: Sendable {
    private let peer: MemoryPeer
    private let rest = Mutex(LineSplitter())
    private let waiting = Mutex<[String]>([])

    init(_ peer: MemoryPeer) {
        self.peer = peer
    }

    func say(_ lines: String...) {
        for line in lines { peer.send(Array((line + "\r\n").utf8)) }
    }

    func close() { peer.close() }

    /// The next line of the client; nil at the end.
    func line() async -> String? {
        while true {
            if let line = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return line }
            guard let bytes = await peer.read() else { return nil }
            let lines = rest.withLock { $0.add(bytes) }
            waiting.withLock { $0 += lines.map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// Reads up to a line that begins so; nil at the end.
    @discardableResult
    func line(_ start: String) async -> String? {
        while let line = await line() {
            if line.hasPrefix(start) { return line }
        }
        return nil
    }

    /// Lets the client in, as a server without capabilities, and into its channels.
    func welcome(nick: String = "bot", channels: String...) async {
        await line("USER")
        say(":irc.test 001 \(nick) :Welcome", ":irc.test 376 \(nick) :End of /MOTD command.")
        for channel in channels {
            await line("JOIN \(channel)")
            say(":\(nick)!~bot@host.test JOIN \(channel)")
        }
    }

    /// Reads a message of one line and its PING, and confirms it; the message.
    func confirmed() async -> String? {
        guard let message = await line("NOTICE"), let ping = await line("PING :dlv") else { return nil }
        say(":irc.test PONG irc.test \(ping.dropFirst("PING ".count))")
        return message
    }
}

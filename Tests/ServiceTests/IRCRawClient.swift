import AdapterKit
import BotCore

@testable import IRCAdapter

/// Another client on the network, which sees every line that the bot's words become.
final class IRCRawClient {
    struct Gone: Error {}

    private let stream: any ByteStream
    private var splitter = LineSplitter()
    private var waiting: [IncomingLine] = []

    /// Logs in under a nick, without TLS, and sees who has which account.
    init(port: String, nick: String) async throws {
        stream = try await CurlByteStreams().connect(
            to: ByteStreamEndpoint(host: "127.0.0.1", port: Int(port) ?? 0, tls: nil))
        try await send("CAP REQ :account-tag message-tags server-time")
        try await send("CAP END")
        try await send("NICK \(nick)")
        try await send("USER \(nick) 0 * :observer")
        _ = try await next { $0.numeric == 376 || $0.numeric == 422 }
    }

    func send(_ line: String) async throws {
        try await stream.write(Array((line + "\r\n").utf8), timeout: .seconds(10))
    }

    func join(_ channel: String) async throws {
        try await send("JOIN \(channel)")
        _ = try await next { $0.numeric == 366 }
    }

    /// The next line for which this holds; those before it are let go.
    func next(_ isWanted: (IncomingLine) -> Bool) async throws -> IncomingLine {
        while true {
            let line = try await line()
            if isWanted(line) { return line }
        }
    }

    /// The next line that the bot made the server send, whatever it is.
    func next(from nick: String) async throws -> IncomingLine {
        try await next { $0.source?.name == nick }
    }

    func close() async {
        await stream.close()
    }

    private func line() async throws -> IncomingLine {
        while true {
            if !waiting.isEmpty {
                let line = waiting.removeFirst()
                if line.command != "PING" { return line }
                try await send("PONG :\(line.trailing)")
                continue
            }
            let bytes = try await stream.read(atMost: 10_000)
            if bytes.isEmpty { throw Gone() }
            waiting += splitter.add(bytes).compactMap { IncomingLine($0) }
        }
    }
}

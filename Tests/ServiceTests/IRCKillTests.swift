import BotTestSupport
import DemoZimmer
import Testing

@testable import IRCAdapter

/// The real program and a real InspIRCd.
///
/// IRC does not recognize what it is told twice: what may have gone before is said again, and says so of itself.
@Suite(.timeLimit(.minutes(10)))
struct IRCKillTests {
    /// So that some messages wait while a test does something to the network.
    private static let slow = "{burst: 5, per: 1s}"

    @Test func `killed in the middle of 50 messages, it repeats at most the one that was under way, and says so`()
        async throws
    {
        let network = try await IRCNetwork(["IRCD_FLOOD": "off"])
        let stage = try ProgramStage(network, rate: "{burst: 1, per: 0s}")
        let sessions = (1...50).map { stage.addSession("Session \($0)", .failed) }
        let observer = try await Observer(network)
        var moments = Moments(seed: 11)
        let kills = 8
        for round in 1...kills {
            let bot = try stage.start()
            try await observer.wait(for: round * 5)
            try await moments.pass(atMost: 30)
            await bot.kill()
        }
        let bot = try stage.start()
        try await observer.wait(for: sessions)
        // What could come twice would come now.
        try await stage.polls()
        #expect(await bot.stop() == .exited(0))
        try await observer.readUntilGone()
        observer.expect(sessions, repetitions: kills)
        withExtendedLifetime(network) {}
    }

    @Test func `a server that is restarted with messages waiting gets each, in order`() async throws {
        let network = try await IRCNetwork(["IRCD_FLOOD": "off"])
        let stage = try ProgramStage(network, rate: Self.slow)
        var sessions = (1...10).map { stage.addSession("Session \($0)", .failed) }
        let bot = try stage.start()
        let observer = try await Observer(network)
        try await observer.wait(for: 5)
        try await network.tell("stop")
        try await observer.readUntilGone()
        sessions += (11...20).map { stage.addSession("Session \($0)", .failed) }
        try await stage.polls()
        // Before its services are there: until then the bot does not join.
        async let started: Void = network.start()
        try await observer.comeBack()
        try await started
        try await observer.wait(for: sessions)
        try await stage.polls()
        #expect(await bot.stop() == .exited(0))
        try await observer.readUntilGone()
        observer.expect(sessions, repetitions: 1)
        withExtendedLifetime(network) {}
    }

    @Test func `services that go and come back lose nothing, before the bot has logged in or after`() async throws {
        let network = try await IRCNetwork(["IRCD_FLOOD": "off"])
        try await network.tell("services-down")
        let stage = try ProgramStage(network, rate: Self.slow)
        var sessions = (1...10).map { stage.addSession("Session \($0)", .failed) }
        let observer = try await Observer(network)
        let bot = try stage.start()
        #expect(await bot.logged("services may be away") != nil)
        try await network.tell("services-up")
        try await observer.wait(for: 3)
        try await network.tell("services-down")
        sessions += (11...15).map { stage.addSession("Session \($0)", .failed) }
        try await observer.wait(for: sessions)
        try await network.tell("services-up")
        sessions.append(stage.addSession("Session 16", .failed))
        try await observer.wait(for: sessions)
        #expect(await bot.stop() == .exited(0))
        try await observer.readUntilGone()
        observer.expect(sessions, repetitions: 0)
        withExtendedLifetime(network) {}
    }

    @Test func `a netsplit in the middle of the messages loses none that its side of the network did not take`()
        async throws
    {
        let network = try await IRCNetwork(["IRCD_FLOOD": "off", "IRCD_LEAF": "1"])
        let stage = try ProgramStage(
            network, rate: Self.slow, ["port: \(network.value("IRC_LEAF_PORT"))", "tls: false"])
        var sessions = (1...10).map { stage.addSession("Session \($0)", .failed) }
        let observer = try await Observer(network)
        let bot = try stage.start()
        try await observer.wait(for: 5)
        try await network.tell("split")
        try await observer.readUntilGone()
        sessions += (11...20).map { stage.addSession("Session \($0)", .failed) }
        try await stage.polls()
        try await network.tell("heal")
        try await observer.wait(for: Array(sessions.suffix(1)))
        #expect(await bot.stop() == .exited(0))
        try await observer.readUntilGone()
        // What the server had taken, and said so, when it went is gone with it.
        observer.expect(sessions, repetitions: 1, losses: 1)
        withExtendedLifetime(network) {}
    }
}

extension ProgramStage {
    /// Tells `#ops` of every failed session.
    ///
    /// - Parameters:
    ///   - rate: of the channel.
    ///   - connection: how to get to the server; by default with TLS and a login.
    fileprivate convenience init(_ network: IRCNetwork, rate: String, _ connection: [String]? = nil) throws {
        let connection =
            connection ?? [
                "port: \(network.value("IRC_TLS_PORT"))", "ca_file: \(network.value("IRC_TLS_CA"))",
                "sasl: {account: \(network.value("IRC_USER_1")), password: {env: PASSWORD}}",
            ]
        try self.init(
            """
            - name: failed-session
              watch: session
              if: session.status == "failed"
              limit: {per_poll: 1000, per_hour: 10000}
              do: [{post: chat, text: "session {{ session.id }} failed"}]
            """,
            channels: """
                chat:
                  adapter: irc
                  server: localhost
                  nick: zimmer
                  channel: "#ops"
                  rate: \(rate)
                """ + connection.map { "\n  \($0)" }.joined(),
            variables: ["PASSWORD": network.value("IRC_PASSWORD_1")])
    }
}

/// What the bot says in `#ops`, as somebody there sees it.
private final class Observer {
    private let network: IRCNetwork
    private var client: IRCRawClient
    private var texts: [String] = []

    init(_ network: IRCNetwork) async throws {
        self.network = network
        client = try await Self.client(network)
    }

    private static func client(_ network: IRCNetwork) async throws -> IRCRawClient {
        let client = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await client.join("#ops")
        return client
    }

    /// Tries until the server is there again.
    func comeBack() async throws {
        while true {
            try Task.checkCancellation()
            if let client = try? await Self.client(network) {
                self.client = client
                return
            }
        }
    }

    private static let mark = " (may be repeated)"

    private var sessions: Set<Int> { Set(texts.map(\.session)) }

    func wait(for count: Int) async throws {
        while sessions.count < count { try await read() }
    }

    func wait(for wanted: [Int]) async throws {
        while !sessions.isSuperset(of: wanted) { try await read() }
    }

    private func read() async throws {
        let line = try await client.next { ["NOTICE", "QUIT"].contains($0.command) && $0.source?.name == "zimmer" }
        if line.command == "NOTICE" { texts.append(line.trailing) }
    }

    /// Reads on until the bot has left, or the connection has ended.
    func readUntilGone() async throws {
        while true {
            do {
                let line = try await client.next {
                    ["NOTICE", "QUIT"].contains($0.command) && $0.source?.name == "zimmer"
                }
                guard line.command == "NOTICE" else { return }
                texts.append(line.trailing)
            } catch is IRCRawClient.Gone {
                return
            }
        }
    }

    /// Every session in order, and what came again marked.
    ///
    /// - Parameter losses: how many may be missing.
    func expect(
        _ sessions: [Int], repetitions: Int, losses: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var seen: Set<Int> = []
        let firsts = texts.filter { seen.insert($0.session).inserted }
        let kept = sessions.filter(seen.contains)
        seen = []
        let repeated = texts.filter { !seen.insert($0.session).inserted }
        #expect(firsts.map(\.session) == kept, "\(texts)", sourceLocation: sourceLocation)
        #expect(sessions.count - kept.count <= losses, "\(texts)", sourceLocation: sourceLocation)
        #expect(repeated.count <= repetitions, "\(texts)", sourceLocation: sourceLocation)
        #expect(repeated.allSatisfy { $0.hasSuffix(Self.mark) }, "\(texts)", sourceLocation: sourceLocation)
        #expect(texts.count { $0.hasSuffix(Self.mark) } <= repetitions, "\(texts)", sourceLocation: sourceLocation)
    }
}

extension String {
    /// The session that a message is about; 0 where it is about none.
    fileprivate var session: Int {
        split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

import AdapterKit
import AdapterKitTesting
import Synchronization
import Testing

@testable import IRCAdapter

/// The adapter as the bot uses it, against a server that the test plays.
@Suite(.timeLimit(.minutes(10))) struct IRCConnectionTests {
    private let streams: MemoryStreams
    private let clock = TestClock()
    private let log = RecordingLog()
    private let kind = IRCKind()

    init() {
        streams = MemoryStreams()
    }

    private func adapter(
        _ channel: String = "#ops", monitor: RecordingMonitor = RecordingMonitor(),
        listener: (any ChatListener)? = nil, streams: MemoryStreams? = nil
    ) throws -> any Adapter {
        let values: [String: ConfigurationValue] = [
            "server": .text("localhost"), "nick": .text("bot"), "channel": .text(channel), "tls": .boolean(false),
            "password": .secret(Secret("server-password-secret")),
        ]
        return try kind.makeAdapter(
            configuration: AdapterConfiguration(schema: kind.schema, values: values),
            context: .testing(
                channelName: String(channel.dropFirst()), byteStreams: streams ?? self.streams, monitor: monitor,
                listener: listener, rate: SessionDriver.unpaced, clock: clock, log: log))
    }

    private func delivery(_ text: String, id: String = "dlv_1", mayBeRepeated: Bool = false) -> Delivery {
        Delivery(id: DeliveryID(id), message: .test(text), attempt: 1, mayBeRepeated: mayBeRepeated)
    }

    /// Runs the adapters while the body lasts.
    private func running(_ adapters: any Adapter..., body: () async throws -> Void) async rethrows {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for adapter in adapters { group.addTask { await adapter.run() } }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func server(_ streams: MemoryStreams? = nil) async throws -> ScriptedIRCServer {
        ScriptedIRCServer(try await (streams ?? self.streams).accept())
    }

    @Test func `a message waits for the first connection, and is delivered when the server has it`() async throws {
        let adapter = try adapter()
        try await running(adapter) {
            async let outcome = adapter.deliver(delivery("hello"))
            let server = try await server()
            await server.welcome(channels: "#ops")
            #expect(await server.confirmed() == "NOTICE #ops :hello")
            #expect(await outcome == .delivered(Receipt()))
        }
    }

    @Test func `the monitor hears when the channel can be used, and why it cannot`() async throws {
        let monitor = RecordingMonitor()
        let adapter = try adapter(monitor: monitor)
        try await running(adapter) {
            let server = try await server()
            await server.welcome(channels: "#ops")
            await monitor.wait { $0 == .up }
            server.say(":alice!a@h KICK #ops bot :spam")
            await monitor.wait { $0 == .down(reason: "alice kicked the bot out of #ops (spam)") }
            let outcome = await adapter.deliver(delivery("hello"))
            guard case .wait(let reason, let retryAfter, _) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(reason.contains("alice") && retryAfter == .seconds(35))
        }
    }

    @Test func `two channels share one connection, and each has its order`() async throws {
        let (ops, dev) = (try adapter("#ops"), try adapter("#dev"))
        try await running(ops, dev) {
            let server = try await server()
            await server.welcome(channels: "#ops", "#dev")
            async let first = ops.deliver(delivery("one", id: "dlv_1"))
            async let second = dev.deliver(delivery("two", id: "dlv_2"))
            let messages = [await server.confirmed(), await server.confirmed()]
            #expect(Set(messages) == ["NOTICE #ops :one", "NOTICE #dev :two"])
            #expect(await [first, second] == [.delivered(Receipt()), .delivered(Receipt())])
        }
    }

    @Test func `when one of two channels goes, the connection stays for the other`() async throws {
        let (ops, dev) = (try adapter("#ops"), try adapter("#dev"))
        try await running(dev) {
            let stopped = Task { await ops.run() }
            let server = try await server()
            await server.welcome(channels: "#ops", "#dev")
            stopped.cancel()
            await stopped.value
            async let outcome = dev.deliver(delivery("still here"))
            // Whichever of them held the connection: it is there, or comes back.
            let next = await server.line("NOTICE") == nil ? try await self.server() : nil
            if let next {
                await next.welcome(channels: "#ops", "#dev")
                _ = await next.confirmed()
            } else if let ping = await server.line("PING") {
                server.say(":irc.test PONG irc.test \(ping.dropFirst(5))")
            }
            #expect(await outcome == .delivered(Receipt()))
        }
    }

    @Test func `a connection that ends before the proof leaves it open whether the message arrived`() async throws {
        let monitor = RecordingMonitor()
        let adapter = try adapter(monitor: monitor)
        try await running(adapter) {
            let server = try await server()
            await server.welcome(channels: "#ops")
            async let outcome = adapter.deliver(delivery("hello"))
            await server.line("NOTICE")
            server.close()
            guard case .lost(let reason) = await outcome else {
                Issue.record("\(await outcome)")
                return
            }
            #expect(reason.contains("localhost:6697"))
            // Known before the answer, so that nobody takes the wait for one that the server asks for.
            #expect(monitor.reports.last == .down(reason: reason))
            await clock.sleepers(1)
            // Meanwhile nothing is tried.
            guard case .wait(_, let retryAfter?, _) = await adapter.deliver(delivery("hello")) else {
                Issue.record("it did not wait")
                return
            }
            #expect(retryAfter > .zero && retryAfter <= .seconds(7))
            clock.advance(by: .seconds(7))
            let next = try await self.server()
            await next.welcome(channels: "#ops")
            async let again = adapter.deliver(delivery("hello", mayBeRepeated: true))
            #expect(await next.confirmed() == "NOTICE #ops :hello (may be repeated)")
            #expect(await again == .delivered(Receipt()))
        }
    }

    @Test func `nobody there is a reason to wait`() async throws {
        let streams = MemoryStreams(failing: [
            ByteStreamFailure(.unreachable, "connection refused"),
            ByteStreamFailure(.untrusted, "self-signed certificate"),
        ])
        let monitor = RecordingMonitor()
        let adapter = try adapter(monitor: monitor, streams: streams)
        try await running(adapter) {
            await monitor.wait { $0 == .down(reason: "localhost:6697: connection refused") }
            await clock.sleepers(1)
            clock.advance(by: .seconds(60))
            await monitor.wait { state in
                if case .down(let reason) = state { reason.contains("ca_file") } else { false }
            }
            await clock.sleepers(1)
            clock.advance(by: .seconds(60))
            await (try server(streams)).welcome(channels: "#ops")
            await monitor.wait { $0 == .up }
        }
    }

    @Test func `a cancelled delivery ends although the server says nothing, and is not written later`() async throws {
        let adapter = try adapter()
        try await running(adapter) {
            let delivering = Task { await adapter.deliver(delivery("never")) }
            let server = try await server()
            await server.line("USER")
            delivering.cancel()
            #expect(await delivering.value == .wait(reason: "the delivery was cancelled", retryAfter: nil))
            server.say(":irc.test 001 bot :Welcome", ":irc.test 376 bot :End")
            await server.line("JOIN")
            server.say(":bot!b@h JOIN #ops")
            async let outcome = adapter.deliver(delivery("next", id: "dlv_2"))
            #expect(await server.confirmed() == "NOTICE #ops :next")
            #expect(await outcome == .delivered(Receipt()))
        }
    }

    @Test func `leaving says goodbye`() async throws {
        let adapter = try adapter()
        let server = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await adapter.run() }
            let server = try await self.server()
            await server.welcome(channels: "#ops")
            group.cancelAll()
            return server
        }
        #expect(await server.line("QUIT") == "QUIT :Goodbye")
        #expect(await server.line() == nil)
    }

    @Test func `what the server repeats of our password is not shown`() async throws {
        let monitor = RecordingMonitor()
        let adapter = try adapter(monitor: monitor)
        try await running(adapter) {
            let server = try await server()
            #expect(await server.line() == "PASS :server-password-secret")
            server.say(":irc.test 464 bot :server-password-secret is \u{1B}[31mwrong\u{07}")
            await monitor.wait { $0 != .up }
            #expect(await server.line("QUIT") != nil)
        }
        let reasons = monitor.reports.map { "\($0)" } + log.lines
        #expect(reasons.contains { $0.contains("464") || $0.contains("'password'") })
        for reason in reasons {
            #expect(!reason.contains("server-password-secret"))
            #expect(!reason.contains("\u{1B}") && !reason.contains("\u{07}"))
        }
    }

    @Test func `garbage, half lines and floods of input are survived`() async throws {
        let adapter = try adapter()
        try await running(adapter) {
            let peer = try await streams.accept()
            let server = ScriptedIRCServer(peer)
            peer.send([UInt8](repeating: 0xFF, count: 100_000))
            peer.send([0x0D, 0x0A, 0, 0x0A, 0x20, 0x0D])
            await server.welcome(channels: "#ops")
            for _ in 0..<2000 { peer.send(Array(":x!y@z PRIVMSG #ops :flood\r\n".utf8)) }
            peer.send(Array(":irc.test NOTICE bot :half".utf8))
            async let outcome = adapter.deliver(delivery("hello"))
            let message = await server.line("NOTICE")
            #expect(message == "NOTICE #ops :hello")
            let ping = await server.line("PING :dlv") ?? ""
            server.say(" a line", ":irc.test PONG irc.test \(ping.dropFirst(5))")
            #expect(await outcome == .delivered(Receipt()))
        }
    }

    @Test func `what people say is passed on in order, and again where it could not be kept`() async throws {
        let listener = Listener(failing: 1)
        let adapter = try adapter(listener: listener)
        try await running(adapter) {
            let server = try await server()
            await server.welcome(channels: "#ops")
            server.say(":alice!a@h PRIVMSG #ops :!one", ":alice!a@h PRIVMSG #ops :!two")
            await listener.asked(1)
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
            await listener.asked(3)
            let events = listener.events
            #expect(events.map(\.content) == [.text("!one"), .text("!two")])
            #expect(events.allSatisfy { $0.channel == "ops" && $0.sender == nil && $0.senderName == "alice" })
            #expect(Set(events.map(\.id)).count == 2)
        }
    }
}

/// Keeps events, after it has failed to a few times.
private final class Listener: ChatListener {
    private struct State {
        var failures: Int
        var asked = 0
        var events: [ChatEvent] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private struct Full: Error {}

    private let state: Mutex<State>

    init(failing failures: Int) {
        state = Mutex(State(failures: failures))
    }

    var events: [ChatEvent] { state.withLock { $0.events } }

    func asked(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.asked >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func receive(_ event: ChatEvent) async throws {
        let (fails, reached) = state.withLock { state in
            state.asked += 1
            let fails = state.failures > 0
            if fails { state.failures -= 1 } else { state.events.append(event) }
            let count = state.asked
            defer { state.waiting.removeAll { $0.count <= count } }
            return (fails, state.waiting.filter { $0.count <= count })
        }
        for waiting in reached { waiting.continuation.resume() }
        if fails { throw Full() }
    }
}

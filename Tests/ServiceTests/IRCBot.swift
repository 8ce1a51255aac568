import AdapterKit
import AdapterKitTesting
import BotCore
import IRCAdapter

/// The bot's side of a real network: a channel with everything that the bot would give it.
struct IRCBot: Sendable {
    let adapter: any Adapter
    let monitor = RecordingMonitor()
    let listener = RecordingListener()
    let log = RecordingLog()

    /// - Parameter changes: Keys that differ from a login as `bot`, by password and with TLS.
    init(_ network: IRCNetwork, _ changes: [String: ConfigurationValue?] = [:], kind: IRCKind = IRCKind()) throws {
        var values: [String: ConfigurationValue] = [
            "server": .text("localhost"), "port": .integer(Int(network.value("IRC_TLS_PORT")) ?? 0),
            "ca_file": .text(network.value("IRC_TLS_CA")), "nick": .text("zimmer"), "channel": .text("#ops"),
            "sasl": .section([
                "account": .text(network.value("IRC_USER_1")),
                "password": .secret(Secret(network.value("IRC_PASSWORD_1"))),
            ]),
        ]
        for (key, value) in changes { values[key] = value }
        var context = AdapterContext.testing(
            channelName: "ops", byteStreams: CurlByteStreams(), monitor: monitor, listener: listener,
            clock: SystemAdapterClock(), log: log)
        // No jitter: the earliest time that is allowed.
        context.random = { 0 }
        adapter = try kind.makeAdapter(
            configuration: AdapterConfiguration(schema: kind.schema, values: values), context: context)
    }

    /// Keeps the connection while the body lasts.
    func running<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let adapter = adapter
            group.addTask { await adapter.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Tries until it is delivered, as the bot does.
    ///
    /// - Returns: What the attempts before that came to.
    @discardableResult
    func deliver(_ message: Message, id: String) async throws -> [DeliveryOutcome] {
        var delivery = Delivery(id: DeliveryID(id), message: message, attempt: 1)
        var failures: [DeliveryOutcome] = []
        while true {
            let outcome = await adapter.deliver(delivery)
            if case .delivered = outcome { return failures }
            failures.append(outcome)
            delivery.attempt += 1
            if case .lost = outcome { delivery.mayBeRepeated = true }
            var pause = Duration.milliseconds(500)
            if case .wait(_, let hint?, _) = outcome { pause = hint }
            try await ContinuousClock().sleep(for: pause)
        }
    }

    func down(_ words: String) async {
        await monitor.wait { state in
            if case .down(let reason) = state { reason.contains(words) } else { false }
        }
    }
}

/// Keeps what is said.
actor RecordingListener: ChatListener {
    private var events: [ChatEvent] = []
    private var waiting: [CheckedContinuation<ChatEvent, Never>] = []

    func receive(_ event: ChatEvent) {
        if waiting.isEmpty { events.append(event) } else { waiting.removeFirst().resume(returning: event) }
    }

    func next() async -> ChatEvent {
        if !events.isEmpty { return events.removeFirst() }
        return await withCheckedContinuation { waiting.append($0) }
    }
}

extension Message {
    static func test(_ text: String, title: String? = nil) -> Message {
        Message(
            kind: .firing, channel: "ops", time: WallTime(seconds: 1_791_547_320), title: title,
            body: TextTree(text: text), markdown: text)
    }
}

import AdapterKit
import AdapterKitTesting
import BotTestSupport
import CEL
import Testing

@testable import BotCore
@testable import MatrixAdapter

/// The Matrix adapter, worked by the bot's own queue, at a homeserver that limits, goes away and forgets.
@Suite(.timeLimit(.minutes(10))) struct MatrixOutageTests {
    private func texts(_ person: MatrixPerson, _ room: String) async throws -> [String] {
        try await person.messages(in: room).compactMap { $0["content"]?["body"]?.string }
    }

    /// Has a worker deliver what is in an outbox, beside a test.
    private func working(_ bot: MatrixBot, _ outbox: QueueOutbox, _ test: (ChannelWorker) async throws -> Void)
        async throws
    {
        let worker = ChannelWorker(
            channel: "ops", adapter: bot.adapter, outbox: outbox, clock: SystemClock(), log: RecordingLog())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            try await test(worker)
            group.cancelAll()
        }
    }

    @Test func `at its limits everything goes in order, and once`() async throws {
        let homeserver = try await Homeserver(["SYNAPSE_LIMITS": "tight"])
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let bot = try MatrixBot(homeserver, room: room)
        let outbox = QueueOutbox((1...7).map { "dlv_\($0)" })
        try await working(bot, outbox) { _ in await outbox.isEmpty() }
        #expect(try await texts(alice, room) == (1...7).map { "dlv_\($0)" })
        #expect(await outbox.retries > 0)
    }

    @Test func `what could not go while the homeserver was away goes afterwards, in order, and once`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let bot = try MatrixBot(homeserver, room: room)
        let outbox = QueueOutbox(["dlv_1", "dlv_2"])
        try await working(bot, outbox) { worker in
            await outbox.isEmpty()
            try await homeserver.stop()
            for number in 3...5 { await outbox.append("dlv_\(number)") }
            worker.wake()
            await outbox.hasRetried()
            await bot.monitor.wait { $0 != .up }
            try await homeserver.start()
            await outbox.isEmpty()
            await bot.monitor.wait { $0 == .up }
            _ = try await alice.say("!board", in: room)
            #expect(await bot.heard.events(1).map(\.content) == [.text("!board")])
        }
        #expect(try await texts(alice, room) == (1...5).map { "dlv_\($0)" })
    }

    @Test func `what was said while the bot was away is heard afterwards, once`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let store = AdapterKitTesting.MemoryStore()
        _ = try await alice.say("before the first start", in: room)
        try await MatrixBot(homeserver, room: room, store: store).running {}
        let id = try await alice.say("meanwhile", in: room)
        for expected in [["meanwhile", "now"], ["now"]] {
            let bot = try MatrixBot(homeserver, room: room, store: store)
            try await bot.running {
                _ = try await alice.say("now", in: room)
                let heard = await bot.heard.events(expected.count)
                #expect(heard.map(\.content) == expected.map(ChatEvent.Content.text))
                #expect(heard.map(\.power) == heard.map { _ in Int.max })
                #expect(heard.map(\.senderName) == heard.map { _ in "alice" })
                if expected.count == 2 { #expect(heard.first?.id == id) }
                // The next start begins behind what was read.
                let polls = bot.traffic.targets.count { $0.contains("/sync?") }
                await bot.traffic.wait { $0.count { $0.contains("/sync?") } > polls }
            }
        }
    }

    @Test func `after a new sign-in on the same device a repeated message is the same event`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let password = try #require(homeserver.values["MATRIX_PASSWORD_1"])
        let values: [String: ConfigurationValue] = [
            "user": .text("bot"), "password": .secret(Secret(password)), "device_id": .text("ZIMMERBOT"),
        ]
        let bot = try MatrixBot(homeserver, room: room, values)
        let first = await bot.deliver(MatrixBot.delivery("dlv_1", "once"))
        try await homeserver.forgetTokens(ofDevice: "ZIMMERBOT")
        #expect(await bot.deliver(MatrixBot.delivery("dlv_1", "once")) == first)
        #expect(bot.traffic.targets.count { $0.hasSuffix("/login") } == 2)
        // So it is after a restart.
        let restarted = try MatrixBot(homeserver, room: room, values)
        #expect(await restarted.deliver(MatrixBot.delivery("dlv_1", "once")) == first)
        #expect(try await texts(alice, room) == ["once"])
    }

    @Test func `a token that was revoked is said, and not used again`() async throws {
        let homeserver = try await Homeserver()
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let me = MatrixPerson(homeserver: homeserver, number: 1)
        let bot = try MatrixBot(homeserver, room: room)
        try await bot.running {
            try await me.call("POST", ["client", "v3", "logout"], [:])
            await bot.monitor.wait { $0 != .up }
            guard case .down(let reason) = bot.monitor.reports.last else { return }
            #expect(reason.contains("put a new one in `access_token`"))
            let count = bot.traffic.targets.count
            #expect(await bot.deliver(MatrixBot.delivery("dlv_1")) == .never(reason: reason, affects: .account))
            #expect(bot.traffic.targets.count == count)
        }
    }
}

/// The messages of one channel, in memory; each text is its id.
private actor QueueOutbox: Outbox {
    private var waiting: [OutboxEntry] = []
    private(set) var retries = 0
    private var watchers: [(isMet: (QueueOutbox) -> Bool, continuation: AsyncStream<Void>.Continuation)] = []

    init(_ ids: [String]) {
        waiting = ids.map(Self.entry)
    }

    func append(_ id: String) { waiting.append(Self.entry(id)) }
    func isEmpty() async { await wait { $0.assumeIsolated { $0.waiting.isEmpty } } }
    func hasRetried() async { await wait { $0.assumeIsolated { $0.retries > 0 } } }

    func pending(_ channel: String, limit: Int, now: Timestamp) -> OutboxPage {
        OutboxPage(entries: Array(waiting.prefix(limit)), total: waiting.count)
    }

    func markDelivered(_ id: DeliveryID, _ receipt: Receipt) { end(id) }
    func markDead(_ id: DeliveryID, reason: String) { end(id) }

    func markRetry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp?, reason: String, isDoubtful: Bool) {
        retries += 1
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting[index].attempts = attempt
            waiting[index].notBefore = notBefore
        }
        notify()
    }

    func begin(_ id: DeliveryID, marking: Bool) -> OutboxContext { OutboxContext() }
    func takeBack(_ id: DeliveryID) {}
    func hold(_ id: DeliveryID, as hold: OutboxEntry.Hold, until: Timestamp) {}
    func released(_ channel: String, _ hold: OutboxEntry.Hold, now: Timestamp, limit: Int) -> [OutboxEntry] { [] }
    func overdue(_ channel: String, before: Timestamp, notices: Timestamp, limit: Int) -> [OutboxEntry] { [] }
    func fold(_ ids: [DeliveryID], into message: FoldedMessage?, reason: String) {}
    func letGo(_ ids: [DeliveryID]) {}

    private func end(_ id: DeliveryID) {
        waiting.removeAll { $0.id == id }
        notify()
    }

    private func wait(until isMet: @escaping (QueueOutbox) -> Bool) async {
        if isMet(self) { return }
        let (met, continuation) = AsyncStream.makeStream(of: Void.self)
        watchers.append((isMet, continuation))
        for await _ in met { return }
    }

    private func notify() {
        let met = watchers.filter { $0.isMet(self) }
        watchers.removeAll { $0.isMet(self) }
        for watcher in met { watcher.continuation.yield() }
    }

    private static func entry(_ id: String) -> OutboxEntry {
        let delivery = MatrixBot.delivery(id, id)
        return OutboxEntry(id: delivery.id, message: delivery.message, createdAt: SystemClock().now())
    }
}

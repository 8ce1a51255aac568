import AdapterKit
import AdapterKitTesting
import Testing

@testable import MatrixAdapter

@Suite(.timeLimit(.minutes(10))) struct MatrixSyncTests {
    private let homeserver = FakeHomeserver()
    private let monitor = RecordingMonitor()
    private let listener = RecordingListener()
    private let clock = TestClock()
    private let log = RecordingLog()
    private static let cursor = "matrix sync https://matrix.example.com @bot:x"

    private func adapter(
        _ values: [String: ConfigurationValue] = Matrix.values, store: MemoryStore = MemoryStore(),
        listener: RecordingListener? = nil
    ) throws -> any Adapter {
        try Matrix.adapter(
            values, transport: homeserver, store: store, monitor: monitor, listener: listener ?? self.listener,
            clock: clock, log: log)
    }

    private func query(_ number: Int) throws -> String {
        let syncs = homeserver.lines.filter { $0.contains("/sync?") }
        return try #require(syncs.count > number ? syncs[number] : nil)
    }

    @Test func `the first answer is history, what follows is heard`() async throws {
        let store = MemoryStore()
        try await Matrix.running(adapter(store: store)) {
            homeserver.sync("s1", said: [Matrix.text("old")])
            homeserver.sync("s2", said: [Matrix.text("new", id: "$2")])
            await homeserver.synced(3)
        }
        #expect(listener.events.map(\.content) == [.text("new")])
        #expect(listener.events.map(\.channel) == ["ops"])
        #expect(await store.values[Self.cursor] == "s2")
        #expect(!(try query(0)).contains("since="))
        #expect(try query(1).contains("&timeout=30000&since=s1"))
        #expect(monitor.reports.last == .up)
        let read = try #require(homeserver.requests.first { $0.line.contains("/read_markers") })
        #expect(read.json == ["m.fully_read": "$2", "m.read": "$2"])
    }

    @Test func `the filter asks for few types, and for few events`() async throws {
        try await Matrix.running(adapter()) { await homeserver.synced(1) }
        let filter = MatrixAccount.filter(listens: true)
        let timeline = filter["room"]?["timeline"]
        #expect(timeline?["limit"] == 50)
        #expect(filter["room"]?["state"]?["lazy_load_members"] == true)
        #expect(timeline?["types"]?.elements.contains("m.reaction") == true)
        #expect(filter["presence"] == ["types": []])
        let quiet = MatrixAccount.filter(listens: false)["room"]?["timeline"]?["types"]?.elements
        #expect(quiet?.contains("m.room.message") == false)
        #expect(quiet?.contains("m.room.tombstone") == true)
    }

    @Test func `after a restart it goes on where it was, with the whole state`() async throws {
        let store = MemoryStore([Self.cursor: "s7"])
        try await Matrix.running(adapter(store: store)) {
            let levels = Matrix.state("m.room.power_levels", ["users": ["@alice:x": 50]])
            homeserver.sync("s8", state: [levels], said: [Matrix.text("said meanwhile")])
            await homeserver.synced(2)
        }
        #expect(try query(0).contains("since=s7&full_state=true"))
        #expect(!(try query(1)).contains("full_state"))
        #expect(listener.events.map(\.content) == [.text("said meanwhile")])
        #expect(listener.events.map(\.power) == [50])
    }

    @Test func `what cannot be kept is heard again, and what was kept is not`() async throws {
        let store = MemoryStore([Self.cursor: "s1"])
        let listener = RecordingListener()
        let first = Matrix.text("a", id: "$a")
        try await Matrix.running(adapter(store: store, listener: listener)) {
            homeserver.sync("s2", said: [first])
            await homeserver.synced(2)
            listener.refuse(1)
            homeserver.sync("s3", said: [first, Matrix.text("b", id: "$b")])
            await clock.sleepers(1)
            #expect(await store.values[Self.cursor] == "s2")
            guard case .down(let reason) = monitor.reports.last else { return #expect(Bool(false), "it is up") }
            #expect(reason.contains("cannot be kept"))
            homeserver.sync("s3", said: [first, Matrix.text("b", id: "$b")])
            clock.advance(by: .seconds(2))
            await homeserver.synced(4)
        }
        #expect(listener.events.map(\.id) == ["$a", "$b"])
        #expect(await store.values[Self.cursor] == "s3")
    }

    @Test func `an invitation to the channel's room is accepted, others are left alone`() async throws {
        homeserver.answer("/state/m.room.encryption", .error("M_FORBIDDEN", 403))
        homeserver.answer("/join/%21room", .error("M_FORBIDDEN", 403), HTTPResponse(json: #"{"room_id": "!room"}"#))
        try await Matrix.running(adapter()) {
            homeserver.sync("s1")
            await homeserver.synced(2)
            guard case .down(let reason) = monitor.reports.last else { return #expect(Bool(false), "it is up") }
            #expect(reason.hasPrefix("the bot may not enter !room: invite it"))
            homeserver.answer("/state/m.room.encryption", .notFound)
            homeserver.sync("s2", ["invite": ["!room": [:], "!other": [:]]])
            await homeserver.synced(3)
        }
        #expect(homeserver.lines.count { $0.contains("/join/%21room") } == 2)
        #expect(!homeserver.lines.contains { $0.contains("other") })
        #expect(monitor.reports.last == .up)
    }

    @Test func `a channel whose room the bot is removed from says so, and sends nothing until it is invited`()
        async throws
    {
        let adapter = try adapter()
        try await Matrix.running(adapter) {
            homeserver.sync("s1")
            await homeserver.synced(2)
            let kick = Matrix.state("m.room.member", ["membership": "leave"], from: "@mallory:x", key: "@bot:x")
            homeserver.sync("s2", ["leave": ["!room": ["timeline": ["events": [kick]]]]])
            await homeserver.synced(3)
            let reason = "the bot was removed from !room by @mallory:x: invite it again"
            #expect(monitor.reports.last == .down(reason: reason))
            #expect(await adapter.deliver(Matrix.delivery()) == .never(reason: reason, affects: .channel))
            #expect(homeserver.messages.isEmpty)
            homeserver.sync("s3", ["invite": ["!room": [:]]])
            await homeserver.synced(4)
            #expect(await adapter.deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
        }
    }

    @Test func `a room that becomes encrypted is refused from then on`() async throws {
        let adapter = try adapter()
        try await Matrix.running(adapter) {
            homeserver.sync("s1")
            await homeserver.synced(2)
            #expect(await adapter.deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
            let encryption = Matrix.state("m.room.encryption", ["algorithm": "m.megolm.v1.aes-sha2"])
            homeserver.sync("s2", said: [encryption])
            await homeserver.synced(3)
            guard case .never(let reason, .channel) = await adapter.deliver(Matrix.delivery("dlv_2")) else {
                return #expect(Bool(false), "it was sent")
            }
            #expect(monitor.reports.last == .down(reason: reason))
        }
        #expect(homeserver.messages.count == 1)
    }

    // MARK: - Successors

    private func create(_ sender: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            body: Matrix.state("m.room.create", ["room_version": "12"], from: sender).bytes)
    }

    @Test(arguments: [true, false])
    func `a room that the same person made in its place is followed`(listens: Bool) async throws {
        homeserver.answer("/%21room/state/m.room.create", create("@alice:x"))
        homeserver.answer("/%21new/state/m.room.create", create("@alice:x"))
        let store = MemoryStore()
        let adapter = try adapter(store: store)
        let tombstone = Matrix.state("m.room.tombstone", ["replacement_room": "!new"])
        if listens {
            try await Matrix.running(adapter) {
                homeserver.sync("s1")
                homeserver.sync("s2", said: [tombstone])
                await homeserver.synced(3)
                #expect(monitor.reports.last == .up)
            }
        } else {
            homeserver.answer("/%21room/state/m.room.tombstone", HTTPResponse(json: #"{"replacement_room": "!new"}"#))
        }
        #expect(await adapter.deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
        #expect(homeserver.messages.first?.line.contains("/rooms/%21new/send/") == true)
        #expect(homeserver.lines.contains("POST /_matrix/client/v3/join/%21new?via=x&server_name=x"))
        #expect(await store.values["matrix successor https://matrix.example.com !room"] == "!new")
    }

    @Test func `where the successor is private too, an invitation to it is waited for`() async throws {
        homeserver.answer("/%21room/state/m.room.create", create("@alice:x"))
        homeserver.answer("/%21new/state/m.room.create", create("@alice:x"))
        homeserver.answer("/join/%21new", .error("M_FORBIDDEN", 403), HTTPResponse(json: #"{"room_id": "!new"}"#))
        let adapter = try adapter()
        try await Matrix.running(adapter) {
            homeserver.sync("s1")
            homeserver.sync("s2", said: [Matrix.state("m.room.tombstone", ["replacement_room": "!new"])])
            await homeserver.synced(3)
            guard case .down(let reason) = monitor.reports.last else { return #expect(Bool(false), "it is up") }
            #expect(reason.hasPrefix("the bot may not enter !new: invite it"))
            homeserver.sync("s3", ["invite": ["!new": [:]]])
            await homeserver.synced(4)
            #expect(monitor.reports.last == .up)
            #expect(await adapter.deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
        }
        #expect(homeserver.messages.first?.line.contains("/rooms/%21new/send/") == true)
    }

    @Test func `a room that the homeserver fails at does not keep the others from being heard`() async throws {
        homeserver.answer("/%21broken/state/", HTTPResponse(status: 500))
        let kind = MatrixKind()
        for room in ["!broken", "!room"] {
            var values = Matrix.values
            values["room"] = .text(room)
            let adapter = try kind.makeAdapter(
                configuration: AdapterConfiguration(schema: kind.schema, values: values),
                context: .testing(channelName: room, transport: homeserver, listener: listener, clock: clock))
            guard room == "!room" else { continue }
            try await Matrix.running(adapter) {
                homeserver.sync("s1")
                homeserver.sync("s2", said: [Matrix.text("heard")])
                await homeserver.synced(3)
            }
        }
        #expect(listener.events.map(\.content) == [.text("heard")])
    }

    @Test func `a room that somebody else made in its place is not`() async throws {
        homeserver.answer("/%21room/state/m.room.tombstone", HTTPResponse(json: #"{"replacement_room": "!trap"}"#))
        homeserver.answer("/%21room/state/m.room.create", create("@alice:x"))
        homeserver.answer("/%21trap/state/m.room.create", create("@mallory:x"))
        let adapter = try adapter()
        for number in 1...2 {
            guard case .never(let reason, .channel) = await adapter.deliver(Matrix.delivery("dlv_\(number)")) else {
                return #expect(Bool(false), "it was sent")
            }
            #expect(reason.contains("write the room that you want in `room`"))
            #expect(monitor.reports.last == .down(reason: reason))
        }
        #expect(homeserver.messages.isEmpty)
        #expect(homeserver.lines.count { $0.contains("/join/%21trap") } == 1)
        #expect(homeserver.lines.count { $0.contains("/rooms/%21trap/leave") } == 1)
    }

    @Test func `rooms that name each other as successors are no loop`() async throws {
        homeserver.answer("/%21room/state/m.room.tombstone", HTTPResponse(json: #"{"replacement_room": "!new"}"#))
        homeserver.answer("/%21new/state/m.room.tombstone", HTTPResponse(json: #"{"replacement_room": "!room"}"#))
        homeserver.answer("/state/m.room.create", create("@alice:x"))
        let adapter = try adapter()
        _ = await adapter.deliver(Matrix.delivery())
        #expect(homeserver.requests.count < 20)
    }

    // MARK: - Trouble

    @Test func `a limit on sync is waited out as asked`() async throws {
        try await Matrix.running(adapter()) {
            homeserver.sync(.error("M_LIMIT_EXCEEDED", 429, headers: ["Retry-After": "7"]))
            await clock.sleepers(1)
            #expect(clock.untilNextWake == .seconds(7))
            clock.advance(by: .seconds(7))
            await homeserver.synced(2)
        }
    }

    @Test func `a homeserver that is away is asked less and less, and said to be down`() async throws {
        try await Matrix.running(adapter()) {
            for seconds in [0.5, 1, 2, 4] {
                homeserver.sync(HTTPResponse(status: 502))
                await clock.sleepers(1)
                #expect(clock.untilNextWake == .seconds(seconds))
                clock.advance(by: .seconds(seconds))
            }
            #expect(monitor.reports.last == .down(reason: "https://matrix.example.com answered 502"))
            homeserver.sync("s1")
            await homeserver.synced(6)
            #expect(monitor.reports.last == .up)
        }
    }

    @Test func `an account that is refused is asked once an hour`() async throws {
        homeserver.answer("/whoami", .error("M_UNKNOWN_TOKEN", 401))
        try await Matrix.running(adapter()) {
            await clock.sleepers(1)
            #expect(clock.untilNextWake == .seconds(3600))
            guard case .down(let reason) = monitor.reports.last else { return #expect(Bool(false), "it is up") }
            #expect(reason.contains("put a new one in `access_token`"))
            let count = homeserver.requests.count
            homeserver.answer("/whoami", HTTPResponse(json: #"{"user_id": "@bot:x"}"#))
            clock.advance(by: .seconds(3600))
            await homeserver.synced(1)
            #expect(homeserver.requests.count == count + 2)
        }
    }

    @Test func `a poll that was under way when the account was refused does not make it well`() async throws {
        homeserver.answer("/send/", .error("M_CONSENT_NOT_GIVEN", 403))
        let adapter = try adapter()
        try await Matrix.running(adapter) {
            homeserver.sync("s1")
            await homeserver.synced(2)
            guard case .never(let reason, .account) = await adapter.deliver(Matrix.delivery()) else {
                return #expect(Bool(false), "it was not refused")
            }
            homeserver.sync("s2")
            await clock.sleepers(1)
            #expect(clock.untilNextWake == .seconds(3600))
            #expect(monitor.reports.suffix(2).allSatisfy { $0 == .down(reason: reason) })
        }
    }

    @Test func `a place in the sync that cannot be read from is given up, not asked for ever`() async throws {
        let store = MemoryStore([Self.cursor: "broken"])
        try await Matrix.running(adapter(store: store)) {
            for _ in 1...3 {
                homeserver.sync(.error("M_UNKNOWN", 400))
                await clock.sleepers(1)
                clock.advance(by: .seconds(300))
            }
            homeserver.sync("s1", said: [Matrix.text("lost")])
            await homeserver.synced(5)
        }
        #expect(!(try query(3)).contains("since="))
        #expect(listener.events.isEmpty)
        #expect(await store.values[Self.cursor] == "s1")
    }

    @Test func `a homeserver that answers at once for ever is not asked without a pause`() async throws {
        try await Matrix.running(adapter()) {
            for number in 1...25 { homeserver.sync("s\(number)") }
            await clock.sleepers(1)
            #expect(homeserver.lines.count { $0.contains("/sync?") } <= 22)
        }
    }

    // MARK: - Sharing

    @Test func `channels of one account sign in and listen once`() async throws {
        let kind = MatrixKind()
        let listeners = [RecordingListener(), RecordingListener()]
        let adapters = try zip(["!one", "!two"], listeners).map { room, listener in
            var values = Matrix.passwordValues
            values["room"] = .text(room)
            return try kind.makeAdapter(
                configuration: AdapterConfiguration(schema: kind.schema, values: values),
                context: .testing(channelName: room, transport: homeserver, listener: listener, clock: clock))
        }
        #expect(adapters[0].account == adapters[1].account)
        try await Matrix.running(adapters[0]) {
            try await Matrix.running(adapters[1]) {
                homeserver.sync("s1")
                homeserver.sync("s2", in: "!two", said: [Matrix.text("for two")])
                await homeserver.synced(3)
            }
        }
        #expect(homeserver.lines.count { $0.hasSuffix("/login") } == 1)
        #expect(listeners[0].events.isEmpty)
        #expect(listeners[1].events.map(\.channel) == ["!two"])
    }

    @Test func `one user with two passwords is a mistake`() throws {
        let kind = MatrixKind()
        var values = Matrix.passwordValues
        _ = try kind.makeAdapter(
            configuration: AdapterConfiguration(schema: kind.schema, values: values),
            context: .testing(transport: homeserver))
        values["password"] = .secret(Secret("another-S3CRET"))
        let error = #expect(throws: ConfigurationError.self) {
            _ = try kind.makeAdapter(
                configuration: AdapterConfiguration(schema: kind.schema, values: values),
                context: .testing(transport: homeserver))
        }
        #expect(error?.key == "password")
    }
}

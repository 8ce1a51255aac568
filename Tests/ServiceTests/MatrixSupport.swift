import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Foundation
import Synchronization
import Testing

@testable import BotCore
@testable import MatrixAdapter

/// Somebody with a Matrix client of their own.
struct MatrixPerson {
    let homeserver: Homeserver
    /// As `synapse.sh` counts: 1 is the bot, 2 `alice`, 3 `carol`.
    let number: Int

    var user: String { homeserver.values["MATRIX_USER_\(number)"] ?? "" }
    var token: String { homeserver.values["MATRIX_TOKEN_\(number)"] ?? "" }

    @discardableResult
    func call(_ method: String, _ path: [String], _ body: JSON? = nil) async throws -> JSON {
        var request = MatrixRequest(method: method, path: path)
        if let body { request.body = .json(body) }
        let response = try await AdapterTransport(CurlTransport()).send(
            request.http(homeserver: homeserver.address, token: Secret(token)))
        try #require(response.status == 200, "\(path): \(String(decoding: response.body, as: UTF8.self))")
        return try #require(JSON(response.body))
    }

    private func call(_ method: String, in room: String, _ path: [String], _ body: JSON) async throws -> JSON {
        try await call(method, ["client", "v3", "rooms", room] + path, body)
    }

    /// Makes a room that the bot is invited to.
    func makeRoom(_ more: [String: JSON] = [:]) async throws -> String {
        let bot = MatrixPerson(homeserver: homeserver, number: 1).user
        let settings: [String: JSON] = ["preset": "private_chat", "invite": [.string(bot)]]
        let answer = try await call(
            "POST", ["client", "v3", "createRoom"], .object(settings.merging(more) { _, new in new }))
        return try #require(answer["room_id"]?.string)
    }

    func send(_ type: String, _ content: JSON, to room: String) async throws -> String {
        let transaction = UUID().uuidString
        return try #require(try await call("PUT", in: room, ["send", type, transaction], content)["event_id"]?.string)
    }

    func say(_ text: String, in room: String, _ more: [String: JSON] = [:]) async throws -> String {
        let content: [String: JSON] = ["msgtype": "m.text", "body": .string(text)]
        return try await send("m.room.message", .object(content.merging(more) { _, new in new }), to: room)
    }

    func redact(_ event: String, in room: String) async throws {
        _ = try await call("PUT", in: room, ["redact", event, UUID().uuidString], [:])
    }

    func setState(_ type: String, _ content: JSON, of room: String) async throws {
        _ = try await call("PUT", in: room, ["state", type], content)
    }

    func tell(_ action: String, _ user: String, in room: String) async throws {
        _ = try await call("POST", in: room, [action], ["user_id": .string(user)])
    }

    /// What the bot said in a room, oldest first.
    func messages(in room: String) async throws -> [JSON] {
        let bot = MatrixPerson(homeserver: homeserver, number: 1).user
        var request = MatrixRequest(method: "GET", path: ["client", "v3", "rooms", room, "messages"])
        request.query = [.init(name: "dir", value: "f"), .init(name: "limit", value: "200")]
        request.maximumAnswerSize = 16 << 20
        let response = try await AdapterTransport(CurlTransport()).send(
            request.http(homeserver: homeserver.address, token: Secret(token)))
        return try #require(JSON(response.body)?["chunk"]).elements.filter {
            $0["sender"]?.string == bot && $0["type"] == "m.room.message"
        }
    }

    /// Events of a room, oldest first, and where the next page begins.
    func page(of room: String, from position: String?) async throws -> (events: [JSON], end: String?) {
        var request = MatrixRequest(method: "GET", path: ["client", "v3", "rooms", room, "messages"])
        request.query = [.init(name: "dir", value: "f"), .init(name: "limit", value: "100")]
        if let position { request.query.append(.init(name: "from", value: position)) }
        request.maximumAnswerSize = 16 << 20
        let response = try await AdapterTransport(CurlTransport()).send(
            request.http(homeserver: homeserver.address, token: Secret(token)))
        let answer = try #require(JSON(response.body))
        return (answer["chunk"]?.elements ?? [], answer["end"]?.string ?? position)
    }

    /// Waits for something new; at once where nothing was read before.
    func sync(since position: String?) async throws -> String {
        var request = MatrixRequest(method: "GET", path: ["client", "v3", "sync"])
        request.query = [.init(name: "timeout", value: "20000")]
        if let position { request.query.append(.init(name: "since", value: position)) }
        request.maximumAnswerSize = 16 << 20
        let response = try await AdapterTransport(CurlTransport()).send(
            request.http(homeserver: homeserver.address, token: Secret(token)))
        return try #require(JSON(response.body)?["next_batch"]?.string)
    }

    /// The same as matrix-nio reads them, with what others said.
    func messagesByNio(in room: String) async throws -> [JSON] {
        let cache = try #require(ProcessInfo.processInfo.environment["CHAT_SERVICES_CACHE"])
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../contrib/services/matrix-reader.py").standardizedFileURL.path
        let child = try ChildProcess(
            [script, homeserver.address, user, token, room], program: cache + "/clients/bin/python")
        let result = await child.result()
        try #require(result.status == .exited(0), "\(result.standardError)")
        return result.standardOutput.split(separator: "\n").compactMap { JSON(Array($0.utf8)) }
    }
}

extension Homeserver {
    /// Ends the sessions of a device, which itself stays: as where tokens run out.
    func forgetTokens(ofDevice device: String) async throws {
        try await stop()
        let program = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1] + "/homeserver.db") as database:
                assert database.execute("DELETE FROM access_tokens WHERE device_id = ?", (sys.argv[2],)).rowcount > 0
            """
        let child = try ChildProcess(
            ["python3", "-c", program, values["MATRIX_DIR"] ?? "", device], program: "/usr/bin/env")
        let result = await child.result()
        try #require(result.status == .exited(0), "\(result.standardError)")
        try await start()
    }
}

/// The bot's end of a channel at a real homeserver.
struct MatrixBot {
    let adapter: any Adapter
    let monitor = RecordingMonitor()
    let heard = ChatRecorder()
    let traffic: CountingTransport

    /// - Parameter values: beside `homeserver`; without a `password` it has the token of `synapse.sh`.
    init(
        _ homeserver: Homeserver, room: String, _ values: [String: ConfigurationValue] = [:],
        store: AdapterKitTesting.MemoryStore = AdapterKitTesting.MemoryStore()
    ) throws {
        traffic = CountingTransport()
        var all = values
        all["homeserver"] = .text(homeserver.address)
        all["room"] = .text(room)
        if values["password"] == nil {
            all["access_token"] = .secret(Secret(homeserver.values["MATRIX_TOKEN_1"] ?? ""))
        }
        let kind = MatrixKind()
        adapter = try kind.makeAdapter(
            configuration: AdapterConfiguration(schema: kind.schema, values: all),
            context: .testing(
                channelName: "ops", transport: traffic, store: store, monitor: monitor, listener: heard,
                clock: SystemAdapterClock()))
    }

    /// Runs beside a test, which begins when it listens.
    func running(_ test: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await adapter.run() }
            await traffic.wait { $0.contains { $0.contains("/sync?") && $0.contains("since=") } }
            try await test()
            group.cancelAll()
        }
    }

    func deliver(_ delivery: AdapterKit.Delivery) async -> DeliveryOutcome {
        await adapter.deliver(delivery)
    }

    static func delivery(_ id: String, _ text: String = "Fix login failed") -> AdapterKit.Delivery {
        var message = AdapterContract.message
        message.body = TextTree([.paragraph([.text(text)])])
        return AdapterKit.Delivery(id: DeliveryID(id), message: message, attempt: 1)
    }
}

/// The bot's HTTP client, with a list of what it was asked.
final class CountingTransport: AdapterKit.HTTPTransport {
    private struct State {
        var targets: [String] = []
        var waiting: [(isWanted: @Sendable ([String]) -> Bool, continuation: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())
    private let transport = AdapterTransport(CurlTransport())

    var targets: [String] { state.withLock { $0.targets } }

    func wait(until isWanted: @escaping @Sendable ([String]) -> Bool) async {
        let (met, continuation) = AsyncStream.makeStream(of: Void.self)
        let isThere = state.withLock { state in
            if isWanted(state.targets) { return true }
            state.waiting.append((isWanted, continuation))
            return false
        }
        if isThere { return }
        for await _ in met { return }
    }

    func send(_ request: AdapterKit.HTTPRequest) async throws -> AdapterKit.HTTPResponse {
        let met = state.withLock { state in
            state.targets.append(request.url.reveal())
            let targets = state.targets
            let met = state.waiting.filter { $0.isWanted(targets) }.map(\.continuation)
            state.waiting.removeAll { $0.isWanted(targets) }
            return met
        }
        for continuation in met { continuation.yield() }
        return try await transport.send(request)
    }
}

/// Keeps what was said, and can wait for it.
final class ChatRecorder: ChatListener {
    private struct State {
        var events: [ChatEvent] = []
        var waiting: [(count: Int, continuation: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())

    func events(_ count: Int) async -> [ChatEvent] {
        let (met, continuation) = AsyncStream.makeStream(of: Void.self)
        let isThere = state.withLock { state in
            if state.events.count >= count { return true }
            state.waiting.append((count, continuation))
            return false
        }
        if !isThere { for await _ in met { break } }
        return state.withLock { $0.events }
    }

    func receive(_ event: ChatEvent) {
        let met = state.withLock { state in
            state.events.append(event)
            let count = state.events.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }.map(\.continuation)
        }
        for continuation in met { continuation.yield() }
    }
}

import AdapterKit
import AdapterKitTesting
import Synchronization

@testable import MatrixAdapter

/// A homeserver of one test: a room without encryption whose messages are `$1`, `$2`, …, unless told otherwise.
final class FakeHomeserver: HTTPTransport {
    private struct State {
        var requests: [HTTPRequest] = []
        var answers: [(part: String, answers: [HTTPResponse])] = []
        var nextEvent = 1
        var waiting: [(isWanted: @Sendable ([HTTPRequest]) -> Bool, continuation: AsyncStream<Void>.Continuation)] =
            []
    }

    private let state = Mutex(State())
    private let syncs: AsyncStream<HTTPResponse>
    private let syncContinuation: AsyncStream<HTTPResponse>.Continuation

    init() {
        (syncs, syncContinuation) = AsyncStream.makeStream()
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var lines: [String] { requests.map(\.line) }
    var messages: [HTTPRequest] { requests.filter(\.isMessage) }

    /// Answers the next requests whose line holds a text with these, in order; the last of them from then on.
    func answer(_ part: String, _ answers: HTTPResponse...) {
        state.withLock { state in
            state.answers.removeAll { $0.part == part }
            state.answers.append((part, answers))
        }
    }

    /// Answers the next `/sync`. Until there is such an answer, it waits.
    func sync(_ next: String, _ rooms: JSON = [:]) {
        syncContinuation.yield(
            HTTPResponse(status: 200, body: (["next_batch": .string(next), "rooms": rooms] as JSON).bytes))
    }

    /// The same for a room that the bot is in.
    func sync(_ next: String, in room: String = Matrix.room, state: [JSON] = [], said: [JSON]) {
        let change: JSON = ["state": ["events": .array(state)], "timeline": ["events": .array(said)]]
        sync(next, ["join": .object([room: change])])
    }

    func sync(_ response: HTTPResponse) {
        syncContinuation.yield(response)
    }

    /// Returns once the requests are as wanted.
    func wait(until isWanted: @escaping @Sendable ([HTTPRequest]) -> Bool) async {
        let (met, continuation) = AsyncStream.makeStream(of: Void.self)
        let isThere = state.withLock { state in
            if isWanted(state.requests) { return true }
            state.waiting.append((isWanted, continuation))
            return false
        }
        if isThere { return }
        for await _ in met { return }
    }

    /// Returns once so many requests to sync have come: what the ones before brought is handled.
    func synced(_ count: Int) async {
        await wait { $0.count { $0.line.contains("/sync?") } >= count }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (answer, met) = state.withLock { state in
            state.requests.append(request)
            let requests = state.requests
            let met = state.waiting.filter { $0.isWanted(requests) }.map(\.continuation)
            state.waiting.removeAll { $0.isWanted(requests) }
            return (Self.answer(to: request, &state), met)
        }
        for continuation in met { continuation.yield() }
        if let answer { return answer }
        for await response in syncs { return response }
        throw CancellationError()
    }

    private static func answer(to request: HTTPRequest, _ state: inout State) -> HTTPResponse? {
        let line = request.line
        if let index = state.answers.firstIndex(where: { line.contains($0.part) }) {
            return state.answers[index].answers.count > 1
                ? state.answers[index].answers.removeFirst() : state.answers[index].answers[0]
        }
        if line.contains("/sync?") { return nil }
        if request.isMessage {
            defer { state.nextEvent += 1 }
            return .event("$\(state.nextEvent)")
        }
        if line.contains("/state/") { return .notFound }
        if line.contains("/login") {
            return HTTPResponse(
                json: #"{"access_token": "syt_of_login", "user_id": "@bot:x", "device_id": "ZIMMERBOT"}"#)
        }
        return HTTPResponse(json: #"{"user_id": "@bot:x"}"#)
    }
}

/// Keeps what people say, and can refuse to.
final class RecordingListener: ChatListener {
    struct Full: Error {}

    private let state = Mutex<(events: [ChatEvent], refusals: Int)>(([], 0))

    var events: [ChatEvent] { state.withLock { $0.events } }

    /// Takes none of the next so many.
    func refuse(_ count: Int) {
        state.withLock { $0.refusals = count }
    }

    func receive(_ event: ChatEvent) throws {
        try state.withLock { state in
            if state.refusals > 0 {
                state.refusals -= 1
                throw Full()
            }
            state.events.append(event)
        }
    }
}

extension Matrix {
    /// A text that somebody said.
    static func text(_ body: String, id: String = "$said", from sender: String = "@alice:x") -> JSON {
        [
            "type": "m.room.message", "event_id": .string(id), "sender": .string(sender),
            "origin_server_ts": 1_791_547_320_000, "content": ["msgtype": "m.text", "body": .string(body)],
        ]
    }

    static func state(_ type: String, _ content: JSON, from sender: String = "@alice:x", key: String = "") -> JSON {
        [
            "type": .string(type), "event_id": "$state", "sender": .string(sender), "state_key": .string(key),
            "origin_server_ts": 1_791_547_320_000, "content": content,
        ]
    }

    /// Runs an adapter beside a test.
    static func running(_ adapter: any Adapter, _ test: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await adapter.run() }
            try await test()
            group.cancelAll()
        }
    }
}

import CEL
import Synchronization

@testable import BotCore

/// A board whose sessions are as a timetable says, without a network between.
final class ScriptedZimmer: HTTPTransport {
    struct Session {
        var status = "running"
        var title: String
        var isHidden = false
        /// When a person acted last.
        var touchedAt: Timestamp
        /// That time can be read.
        var isReadable = true
    }

    /// How calls that change something are answered.
    enum Answer: String {
        /// They are done.
        case fine
        case refuse
        /// Nothing is done, and it is worth another try.
        case busy
        /// It is done, and the answer does not arrive.
        case lost
    }

    struct State {
        var sessions: [Int64: Session] = [:]
        var isInRecovery = false
        /// Readings that fail: `sessions`, `health`.
        var failing: Set<String> = []
        var answer = Answer.fine
        /// What was asked for, as `follow_up 7`.
        var calls: [String] = []
    }

    private let state = Mutex(State())
    private let clock: VirtualClock

    init(_ clock: VirtualClock) {
        self.clock = clock
    }

    func update<Result: Sendable>(_ change: (inout sending State) -> sending Result) -> Result {
        state.withLock(change)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let path = request.url.split(separator: "?")[0].split(separator: "/").drop { $0 != "v1" }.dropFirst()
            .map(String.init)
        let isRead = request.method == .get
        let answer = state.withLock { state in
            isRead ? state.read(path) : state.write(path, String(decoding: request.body ?? [], as: UTF8.self))
        }
        guard let (status, body) = answer else { throw HTTPError(.cut, .maybeSent, host: "zimmer") }
        let headers = [("x-request-id", "r"), ("date", clock.date), ("content-type", "application/json")]
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}

extension ScriptedZimmer.State {
    typealias Response = (status: Int, body: String)

    fileprivate func read(_ path: [String]) -> Response? {
        guard let first = path.first, !failing.contains(first) else { return (500, #"{"error": "Server Error"}"#) }
        switch (first, path.count) {
        case ("sessions", 1):
            let rows = sessions.filter { $0.value.status != "archived" }.sorted { $0.key < $1.key }
            let list = rows.map { $0.value.json($0.key) }.joined(separator: ", ")
            return (200, #"{"sessions": [\#(list)], "pagination": {"page": 1, "total_count": \#(rows.count)}}"#)
        case ("sessions", 2):
            guard let id = Int64(path[1]), let session = sessions[id] else { return Self.none }
            return (200, #"{"session": \#(session.json(id))}"#)
        case ("health", _):
            let mode = #"{"active": \#(isInRecovery), "paused_queues": [], "reason": null}"#
            return (200, #"{"health_report": {}, "queue_recovery_mode": \#(mode)}"#)
        // Where a lost follow-up is looked for: nothing is found.
        case ("sessions", 3): return (200, #"{"enqueued_messages": [], "messages": []}"#)
        default: return Self.none
        }
    }

    fileprivate mutating func write(_ path: [String], _ body: String) -> Response? {
        guard path.count == 3, let id = Int64(path[1]), var session = sessions[id] else { return Self.none }
        calls.append("\(path[2]) \(id)")
        switch answer {
        case .refuse: return (422, #"{"error": "Unprocessable", "message": "no"}"#)
        case .busy: return (503, #"{"error": "Busy", "message": "not now"}"#)
        case .fine, .lost: break
        }
        if path[2] == "visibility" { session.isHidden = body.contains("hidden") }
        sessions[id] = session
        return answer == .lost ? nil : (200, #"{"session": \#(session.json(id))}"#)
    }

    private static let none: Response = (404, #"{"error": "Not Found", "message": "not found"}"#)
}

extension ScriptedZimmer.Session {
    fileprivate func json(_ id: Int64) -> String {
        let visibility = isHidden ? "hidden" : "visible"
        let touched = isReadable ? "\"\(WireTime.wallClock(touchedAt))Z\"" : "true"
        return """
            {"id": \(id), "status": "\(status)", "title": "\(title)", "created_at": "2026-10-09T00:00:00Z",
            "updated_at": "2026-10-09T00:00:00Z", "visibility": "\(visibility)", "effective_visibility": "\(visibility)",
            "metadata": {"last_user_activity_at": \(touched)}}
            """
    }
}

package import CEL

/// Zimmer's REST API, as far as this bot uses it.
///
/// Every call passes one gate: what `allowed` does not name is not sent. Nothing here retries; callers know what a
/// repeat would do.
package struct ZimmerClient: Sendable {
    private let wire: ZimmerWire
    private let key: APIKey
    private let allowed: Set<ZimmerCall>
    private let maximumBody: Int

    /// - Parameters:
    ///   - edge: for a gate in front of Zimmer.
    ///   - version: this program's, for Zimmer's log.
    ///   - allowed: the calls that the loaded rules and commands need; all others throw `notAllowed`.
    ///   - maximumBody: of an answer to a read, in bytes. A page of 100 sessions has a few million.
    package init(
        _ address: ZimmerAddress, key: APIKey, edge: EdgePass? = nil, transport: any HTTPTransport, version: String,
        allowed: Set<ZimmerCall>, maximumBody: Int = ZimmerClient.maximumBody
    ) {
        let wire = ZimmerWire(address: address, edge: edge, transport: transport, version: version)
        self.init(wire, key: key, allowed: allowed, maximumBody: maximumBody)
    }

    init(_ wire: ZimmerWire, key: APIKey, allowed: Set<ZimmerCall>, maximumBody: Int = ZimmerClient.maximumBody) {
        self.wire = wire
        self.key = key
        self.allowed = allowed
        self.maximumBody = maximumBody
    }

    /// A larger answer is refused with `unreadable`.
    package static let maximumBody = 16 << 20

    // MARK: - Reads

    /// One page of all sessions that are not archived, newest first.
    func board(_ slice: PageSlice, etag: String? = nil, timeout: Duration) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.board, ["sessions"], query: slice.query, etag: etag, timeout: timeout)
    }

    /// The sessions that were made last, archived ones too.
    func newestSessions(_ slice: PageSlice, timeout: Duration) async throws(ZimmerError) -> ZimmerAnswer {
        let query = slice.query + [(name: "show_archived", value: "true")]
        return try await read(.board, ["sessions"], query: query, timeout: timeout)
    }

    /// `{session, status_summary, session_hierarchy, …}`. Archived sessions too; `notFound` when there is none.
    package func session(_ id: Int64, timeout: Duration = .seconds(30)) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.session, ["sessions", String(id)], timeout: timeout)
    }

    /// The inbox, newest first. Not a complete feed of events.
    func notifications(
        _ slice: PageSlice = PageSlice(1), etag: String? = nil, timeout: Duration = .seconds(30)
    ) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.notifications, ["notifications"], query: slice.query, etag: etag, timeout: timeout)
    }

    /// One of them, stale or not, `{notification}`.
    func notification(_ id: Int64, timeout: Duration = .seconds(30)) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.notifications, ["notifications", String(id)], timeout: timeout)
    }

    /// What one session's tools ask a person. Newer servers only, and perhaps not with an API key.
    func elicitations(
        of session: Int64, etag: String? = nil, timeout: Duration
    ) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.elicitations, ["sessions", String(session), "elicitations"], etag: etag, timeout: timeout)
    }

    /// What starts sessions by itself.
    func triggers(
        _ slice: PageSlice, etag: String? = nil, timeout: Duration
    ) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.triggers, ["triggers"], query: slice.query, etag: etag, timeout: timeout)
    }

    /// One of them, `{trigger, recent_sessions}`.
    func trigger(_ id: Int64, timeout: Duration = .seconds(30)) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.triggers, ["triggers", String(id)], timeout: timeout)
    }

    /// Work that waits for somebody to start it.
    func backlog(
        _ slice: PageSlice, etag: String? = nil, timeout: Duration
    ) async throws(ZimmerError) -> ZimmerAnswer {
        let query = slice.query + [(name: "status", value: "queued")]
        return try await read(.backlog, ["work_backlog_items"], query: query, etag: etag, timeout: timeout)
    }

    /// Which command line tools Zimmer's agents have, and whether they are signed in.
    func tools(etag: String? = nil, timeout: Duration) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.tools, ["clis", "status"], etag: etag, timeout: timeout)
    }

    /// Agent roots, models, goals: what a deployment is made of.
    func configs(timeout: Duration) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.configs, ["configs"], timeout: timeout)
    }

    /// Heavy on the server: every minute or two at most.
    package func health(
        etag: String? = nil, timeout: Duration = .seconds(30)
    ) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.health, ["health"], etag: etag, timeout: timeout)
    }

    /// Cached by the server for ten minutes.
    package func costs(
        _ window: CostsInterval, etag: String? = nil, timeout: Duration = .seconds(30)
    ) async throws(ZimmerError) -> ZimmerAnswer {
        var query = [
            (name: "from", value: WireTime.wallClock(window.from) + "Z"),
            (name: "to", value: WireTime.wallClock(window.to) + "Z"),
        ]
        if let root = window.agentRoot { query.append((name: "agent_root", value: root)) }
        if let session = window.session { query.append((name: "session_id", value: String(session))) }
        return try await read(.costs, ["costs"], query: query, etag: etag, timeout: timeout)
    }

    /// The messages that wait for a session.
    func queue(
        of session: Int64, _ slice: PageSlice = PageSlice(1), timeout: Duration = .seconds(30)
    ) async throws(ZimmerError) -> ZimmerAnswer {
        let path = ["sessions", String(session), "enqueued_messages"]
        return try await read(.queue, path, query: slice.query, timeout: timeout)
    }

    /// The newest messages, oldest first.
    ///
    /// - Parameter limit: at most 200.
    package func conversation(
        of session: Int64, limit: Int = 200, timeout: Duration = .seconds(30)
    ) async throws(ZimmerError) -> ZimmerAnswer {
        let path = ["sessions", String(session), "conversation"]
        return try await read(.conversation, path, query: [("limit", String(limit))], timeout: timeout)
    }

    /// The newest lines, newest first.
    func logs(
        of session: Int64, _ slice: PageSlice = PageSlice(1), timeout: Duration = .seconds(30)
    ) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.logs, ["sessions", String(session), "logs"], query: slice.query, timeout: timeout)
    }

    /// Whether Zimmer, and with `deep` what it works with, is well. Shows no credential but the gate's.
    func up(deep: Bool, timeout: Duration) async throws(ZimmerError) -> ZimmerAnswer {
        let path = deep ? ["up", "deep"] : ["up"]
        let request = HTTPRequest(
            .get, wire.address.page(path), timeout: timeout, isRepeatable: true, maximumBody: 1 << 20)
        return try await send(request, for: .up, path)
    }

    /// The triggers of a Zimmer plugin: what its key opens, and no other key.
    func pluginTriggers(timeout: Duration) async throws(ZimmerError) -> ZimmerAnswer {
        try await read(.pluginTriggers, ["external_app", "triggers"], timeout: timeout)
    }

    // MARK: - Writes

    /// Makes a change, once. What could not be made is classified, not thrown.
    package func perform(_ write: ZimmerWrite, timeout: Duration = .seconds(30)) async -> WriteOutcome {
        var request = HTTPRequest(
            write.method, wire.address.api(write.path), headers: headers, body: write.body.bytes, timeout: timeout,
            // Not even what may be repeated: after a repeat that nobody knows of, "too busy" would not mean that nothing
            // was done.
            isRepeatable: false, maximumBody: 8 << 20)
        request.headers.append((name: "Content-Type", value: "application/json"))
        do throws(ZimmerError) {
            let answer = try await send(request, for: write.call, write.path)
            return .done(try WriteReceipt(answer, to: write.path))
        } catch {
            return WriteOutcome(error.explained(for: write.call))
        }
    }

    // MARK: - All calls

    private func read(
        _ call: ZimmerCall, _ path: [String], query: [(name: String, value: String)] = [], etag: String? = nil,
        timeout: Duration
    ) async throws(ZimmerError) -> ZimmerAnswer {
        var request = HTTPRequest(
            .get, wire.address.api(path, query: query), headers: headers, timeout: timeout, isRepeatable: true,
            maximumBody: maximumBody)
        if let etag { request.headers.append((name: "If-None-Match", value: etag)) }
        return try await send(request, for: call, path)
    }

    /// - Parameter path: of the route, for the log.
    private func send(
        _ request: HTTPRequest, for call: ZimmerCall, _ path: [String]
    ) async throws(ZimmerError) -> ZimmerAnswer {
        guard allowed.contains(call) else {
            let message = "the call '\(call.rawValue)' is not one that the loaded rules need, so it was not made"
            throw ZimmerError(.notAllowed, message: message, reach: .notSent)
        }
        let record = CallLog.Record(call, request.method.rawValue, path)
        return ZimmerAnswer(try await wire.send(request, hiding: [key], noting: record))
    }

    private var headers: [(name: String, value: String)] { [(name: "X-API-Key", value: key.exposed)] }
}

/// What Zimmer answered to a call that worked out.
package struct ZimmerAnswer: Sendable {
    package var status: Int
    package var body: [UInt8]
    package var etag: String?
    /// Zimmer's clock when the answer was whole, to the second.
    package var serverDate: Timestamp?
    package var requestID: String?
    private var room: LargeBody?

    init(_ response: HTTPResponse) {
        status = response.status
        body = response.body
        etag = response.header("etag")
        serverDate = response.serverDate
        requestID = response.requestID
        room = response.room
    }

    /// What was read before is still so.
    var isNotModified: Bool { status == 304 }

    /// The body, parsed; `badBody` when it is not a JSON object, as from a login page that answers 200.
    package func document() throws(ZimmerError) -> JSONDocument {
        guard body.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
            let message = "a web page answered, not Zimmer's API; look at zimmer.url"
            throw ZimmerError(.badBody, status: status, message: message, requestID: requestID)
        }
        // Something in an object breaks it: with fewer rows that may not be in it.
        var code = ZimmerError.Code.badBody
        let reason: String
        do throws(JSONDocument.Failure) {
            let document = try JSONDocument(body, in: room)
            if document.root.kind == .object { return document }
            reason = "it is not an object"
        } catch {
            if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { code = .unreadable }
            reason = error.description
        }
        throw ZimmerError(
            code, status: status, message: "Zimmer's answer cannot be read as JSON: \(reason)", requestID: requestID)
    }
}

extension PageSlice {
    fileprivate var query: [(name: String, value: String)] {
        [(name: "page", value: String(number)), (name: "per_page", value: String(size))]
    }
}

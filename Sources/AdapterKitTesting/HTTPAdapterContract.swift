public import AdapterKit
public import Testing

/// What holds for every adapter whose deliveries are HTTP requests.
public struct HTTPAdapterContract: Sendable {
    /// How an outcome is worked on.
    public enum Class: String, Hashable, Sendable {
        case delivered, wait, lost, maybe, never

        public init(_ outcome: DeliveryOutcome) {
            switch outcome {
            case .delivered: self = .delivered
            case .wait: self = .wait
            case .lost: self = .lost
            case .maybe: self = .maybe
            case .never: self = .never
            }
        }
    }

    public var contract: AdapterContract
    /// The body of a success, where an adapter looks into it.
    public var successBody: [UInt8]

    /// After 413 an adapter tries once with less of the message.
    public var shrinksMessages: Bool
    /// Answers what an adapter asks before it sends a message; nil for the message itself, which is what is checked.
    public var preparation: @Sendable (HTTPRequest) -> HTTPResponse?

    public init(
        _ contract: AdapterContract, successBody: [UInt8] = [], shrinksMessages: Bool = false,
        preparation: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    ) {
        self.contract = contract
        self.successBody = successBody
        self.shrinksMessages = shrinksMessages
        self.preparation = preparation
    }

    /// What each status means.
    public static let statuses: [(status: Int, class: Class)] = [
        (200, .delivered), (201, .delivered), (202, .delivered), (204, .delivered), (301, .never), (302, .never),
        (307, .never), (308, .never), (400, .never), (401, .never), (403, .never), (404, .never), (405, .never),
        (408, .wait), (410, .never), (413, .never), (422, .never), (425, .wait), (429, .wait), (500, .maybe),
        (502, .wait), (503, .wait), (504, .wait),
    ]

    /// What a request without an answer means.
    public static let failures: [(code: HTTPFailure.Code, class: Class)] = [
        (.unreachable, .wait), (.timedOut, .lost), (.interrupted, .lost), (.untrusted, .wait),
        (.invalidRequest, .never),
    ]

    /// An answer with this status is classed so, and one request for the message is all that one attempt makes.
    public func checkStatus(
        _ status: Int, is expected: Class, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response = HTTPResponse(status: status, body: status < 300 ? successBody : [])
        let transport = answering { _ in response }
        let outcome = try await deliver(over: transport)
        #expect(Class(outcome) == expected, "\(status)", sourceLocation: sourceLocation)
        let count = transport.requests.count { preparation($0) == nil }
        #expect(count == (status == 413 && shrinksMessages ? 2 : 1), "\(status)", sourceLocation: sourceLocation)
    }

    /// A request that failed so is classed so.
    public func checkFailure(
        _ code: HTTPFailure.Code, is expected: Class, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await deliver(over: answering { _ in throw HTTPFailure(code, "it failed") })
        #expect(Class(outcome) == expected, "\(code)", sourceLocation: sourceLocation)
    }

    /// What the other side asks to wait is passed on.
    public func checkRetryAfter(
        _ response: HTTPResponse, is expected: Duration, now: WallTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await deliver(over: answering { _ in response }, clock: TestClock(now: now))
        guard case .wait(_, let retryAfter, _) = outcome else {
            Issue.record("\(outcome) does not wait", sourceLocation: sourceLocation)
            return
        }
        #expect(retryAfter == expected, sourceLocation: sourceLocation)
    }

    /// No reason and no log line holds a secret, the address beyond its host, a control character or a long answer, even
    /// if the answer is made of those.
    public func checkRedaction(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let log = RecordingLog()
        let echo = answering { request in
            let lines = [request.method, request.url.reveal()] + request.headers.map { $0.value.reveal() }
            let secrets = contract.secrets + lines.map { "\u{1B}[31m\($0)\u{202E}\r\n" }
            let body = secrets.joined(separator: " ") + String(repeating: "x", count: 1000)
            return HTTPResponse(status: 500, body: Array(body.utf8))
        }
        let failing = answering { request in
            throw HTTPFailure(.unreachable, "no way to \(request.url.reveal())")
        }
        var texts: [String] = []
        for transport in [echo, failing] {
            let reason = try await deliver(over: transport, log: log).reason
            texts.append(try #require(reason, sourceLocation: sourceLocation))
        }
        for text in texts + log.lines {
            #expect(text.utf8.count < 400, sourceLocation: sourceLocation)
            #expect(text.printableLine.utf8.elementsEqual(text.utf8), "\(text)", sourceLocation: sourceLocation)
            for secret in secretParts where text.contains(secret) {
                Issue.record("'\(text)' shows '\(secret)'", sourceLocation: sourceLocation)
            }
        }
    }

    /// A cancelled delivery ends although the other side says nothing, and does not count as delivered.
    public func checkCancellation(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let transport = SilentTransport()
        let adapter = try contract.makeAdapter(transport: transport)
        let outcome = await withTaskGroup(of: DeliveryOutcome?.self) { group in
            group.addTask { await adapter.deliver(Self.delivery()) }
            group.addTask {
                await transport.waitForRequest()
                return nil
            }
            var outcome: DeliveryOutcome?
            for await result in group {
                group.cancelAll()
                if let result { outcome = result }
            }
            return outcome
        }
        #expect(outcome.map(Class.init) == .wait, sourceLocation: sourceLocation)
    }

    /// The secrets, and the parts of those that are URLs which must not be seen either.
    private var secretParts: [String] {
        contract.secrets.flatMap { secret -> [String] in
            guard HTTPAddress(Secret(secret)) != nil else { return [secret] }
            let path = secret.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst(2)
            return [secret]
                + path.flatMap { $0.split { "/?&=".contains($0) } }.map(String.init).filter { $0.count >= 6 }
        }
    }

    private func answering(
        _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> RecordingTransport {
        RecordingTransport { [preparation] request in
            if let response = preparation(request) { return response }
            return try await answer(request)
        }
    }

    private func deliver(
        over transport: any HTTPTransport, clock: any AdapterClock = TestClock(), log: any AdapterLog = RecordingLog()
    ) async throws -> DeliveryOutcome {
        try await contract.makeAdapter(transport: transport, clock: clock, log: log).deliver(Self.delivery())
    }

    private static func delivery() -> Delivery {
        Delivery(id: DeliveryID("dlv_contract1"), message: AdapterContract.message, attempt: 1)
    }
}

/// A small Zimmer over real HTTP on the loopback interface: start here.
///
/// It answers the part of Zimmer's API that an automation uses, refuses what Zimmer refuses, and plays a day if it is
/// given one. Tests change its state directly, make its network fail, and wait for requests.
package final class DemoServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    package let url: String
    package let port: UInt16
    /// A key that this server accepts.
    package let apiKey: String
    /// Every request in order, the refused and the dropped ones too.
    package let requests: EventLog<RecordedRequest>

    private let world: World
    private let server: HTTPServer

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - state: what the server begins with; its `now` is where a manual clock begins.
    ///   - clock: nil for one that stands still until `advance(by:)`.
    ///   - port: 0 takes a free one.
    ///   - recordsReads: whether `requests` keeps GETs too; off for measurements.
    package init(
        state: ZimmerState = ZimmerState(now: DemoServer.morning), clock: SimulatedClock? = nil, port: UInt16 = 0,
        recordsReads: Bool = true
    ) throws(HTTPServerError) {
        let requests = EventLog<RecordedRequest>()
        let world = World(state: state, clock: clock ?? .manual(at: state.now), recordsReads: recordsReads, requests)
        self.server = try HTTPServer(port: port) { world.handle($0) }
        self.world = world
        self.requests = requests
        self.port = server.port
        self.url = "http://127.0.0.1:\(server.port)"
        self.apiKey = state.apiKeys.sorted().first ?? ZimmerState.demoKey
        let url = url
        world.update { $0.oauth.issuer = $0.oauth.issuer ?? url }
    }

    /// Friday, 9 October 2026, six in the morning in Chicago.
    package static let morning = ServerTime(millisecondsSince1970: 1_791_543_600_000)

    /// Answers what is under way, drops what is held, and stops listening. May be called again.
    ///
    /// The port goes back to the machine. For a server that is away for a while, drop every request instead.
    package func stop() {
        server.stop()
        requests.finish()
    }

    // MARK: - Time and state

    package var now: ServerTime { world.now }

    /// Puts the clock forward; everything that was due meanwhile happens, in order.
    package func advance(by duration: Duration) {
        world.advance(by: duration)
    }

    /// Changes or reads the state, between two requests.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout ZimmerState) throws -> Result) rethrows -> Result {
        try world.update(change)
    }

    /// The state as it is now.
    package var state: ZimmerState { world.snapshot }

    /// What the browser of a person is sent to who opens this address and decides so; nil where it shows an error instead.
    package func decide(_ consent: ZimmerState.Consent, at url: String) -> String? {
        update { $0.authorize(url, consent) }.header("location")
    }

    // MARK: - Trouble

    /// From now on, until it has struck its number of times. The first fault that strikes wins.
    package func inject(_ fault: Fault) {
        world.inject(fault)
    }

    package func inject(
        _ effect: Fault.Effect, on pattern: RequestPattern = .any, skip: Int = 0, times: Int? = 1
    ) {
        inject(Fault(pattern, effect, skip: skip, times: times))
    }

    package func clearFaults() {
        world.clearFaults()
    }

    /// Sends every answer that a `hold` keeps back.
    package func releaseHeld() {
        server.releaseHeld()
    }

    // MARK: - What came in

    /// Requests for a change that were carried out, in order, refused ones included.
    package var writes: [RecordedRequest] {
        requests.elements.filter { $0.request.isWrite && $0.wasApplied }
    }

    /// The requests of that kind so far.
    package func received(_ pattern: RequestPattern) -> [RecordedRequest] {
        requests.elements.filter { pattern.matches($0.request) }
    }

    /// The `number`th matching request since the server started, as soon as it has been carried out.
    ///
    /// - Parameter mark: a former `requests.count`: only what came after it counts.
    /// - Throws: `CancellationError` when the task is cancelled or the server stops.
    @discardableResult
    package func request(
        _ number: Int = 1, after mark: Int = 0, matching pattern: RequestPattern
    ) async throws -> RecordedRequest {
        try await requests.element(number, from: mark) { pattern.matches($0.request) }
    }

    /// The next matching request that comes after this call. Where it may come sooner, take a mark first.
    @discardableResult
    package func nextRequest(matching pattern: RequestPattern) async throws -> RecordedRequest {
        try await request(after: requests.count, matching: pattern)
    }
}

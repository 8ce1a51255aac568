public import AdapterKit
public import Testing

/// What holds for every adapter that holds a connection of its own.
public struct ByteStreamAdapterContract: Sendable {
    public var contract: AdapterContract

    public init(_ contract: AdapterContract) {
        self.contract = contract
    }

    /// Why there may be no connection.
    public static let failures: [ByteStreamFailure.Code] = [
        .unreachable, .timedOut, .closed, .untrusted, .invalidEndpoint,
    ]

    /// Without a connection a delivery waits, the monitor is told, and nothing of it shows a secret or a control character.
    public func checkFailure(
        _ code: ByteStreamFailure.Code, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let detail = "it failed: \u{1B}[31m\u{202E}" + contract.secrets.joined(separator: " ")
        let (monitor, log) = (RecordingMonitor(), RecordingLog())
        let streams = MemoryStreams(failing: [ByteStreamFailure](repeating: .init(code, detail), count: 1000))
        let outcome = try await outcome(over: streams, monitor: monitor, log: log) {
            await monitor.wait { $0 != .up }
        }
        guard case .wait = outcome else {
            Issue.record("\(code): \(outcome)", sourceLocation: sourceLocation)
            return
        }
        let texts = log.lines + [outcome.reason ?? ""] + monitor.reports.map(\.reason)
        for text in texts {
            #expect(text.printableLine.utf8.elementsEqual(text.utf8), "\(text)", sourceLocation: sourceLocation)
            for secret in contract.secrets where text.contains(secret) {
                Issue.record("'\(text)' shows '\(secret)'", sourceLocation: sourceLocation)
            }
        }
    }

    /// A cancelled delivery ends although there is no connection yet, and has not gone.
    public func checkCancellation(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let streams = SilentTransport()
        let adapter = try makeAdapter(streams, RecordingMonitor(), RecordingLog())
        let outcome = await withTaskGroup(of: DeliveryOutcome?.self) { group in
            group.addTask {
                await adapter.run()
                return nil
            }
            let delivering = Task { await adapter.deliver(Self.delivery) }
            await streams.waitForRequest()
            delivering.cancel()
            let outcome = await delivering.value
            group.cancelAll()
            return outcome
        }
        guard case .wait = outcome else {
            Issue.record("\(outcome)", sourceLocation: sourceLocation)
            return
        }
    }

    private static let delivery = Delivery(
        id: DeliveryID("dlv_contract1"), message: AdapterContract.message, attempt: 1)

    private func outcome(
        over streams: any ByteStreamTransport, monitor: RecordingMonitor, log: RecordingLog,
        when isReady: @Sendable () async -> Void
    ) async throws -> DeliveryOutcome {
        let adapter = try makeAdapter(streams, monitor, log)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await adapter.run() }
            await isReady()
            let outcome = await adapter.deliver(Self.delivery)
            group.cancelAll()
            return outcome
        }
    }

    private func makeAdapter(
        _ streams: any ByteStreamTransport, _ monitor: RecordingMonitor, _ log: RecordingLog
    ) throws -> any Adapter {
        let configuration = try AdapterConfiguration(schema: contract.kind.schema, values: contract.values)
        return try contract.kind.makeAdapter(
            configuration: configuration,
            context: .testing(byteStreams: streams, monitor: monitor, log: log))
    }
}

extension ConnectionState {
    fileprivate var reason: String {
        switch self {
        case .up: ""
        case .down(let reason): reason
        }
    }
}

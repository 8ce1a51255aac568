import Synchronization

/// The state with its clock and its faults, one request at a time.
final class World: Sendable {
    fileprivate struct Contents {
        var state: ZimmerState
        var clock: SimulatedClock
        var faults: [Fault] = []

        mutating func catchUp() {
            state.advance(to: clock.now)
        }
    }

    private let contents: Mutex<Contents>
    private let requests: EventLog<RecordedRequest>
    private let recordsReads: Bool

    init(state: ZimmerState, clock: SimulatedClock, recordsReads: Bool, _ requests: EventLog<RecordedRequest>) {
        self.contents = Mutex(Contents(state: state, clock: clock))
        self.recordsReads = recordsReads
        self.requests = requests
    }

    var now: ServerTime { contents.withLock { $0.clock.now } }

    var snapshot: ZimmerState {
        contents.withLock { contents in
            contents.catchUp()
            return contents.state
        }
    }

    func advance(by duration: Duration) {
        contents.withLock { contents in
            contents.clock.advance(by: duration)
            contents.catchUp()
        }
    }

    func update<Result: Sendable>(_ change: (inout ZimmerState) throws -> Result) rethrows -> Result {
        try contents.withLock { contents in
            contents.catchUp()
            return try change(&contents.state)
        }
    }

    func inject(_ fault: Fault) {
        contents.withLock { $0.faults.append(fault) }
    }

    func clearFaults() {
        contents.withLock { $0.faults = [] }
    }

    func handle(_ request: HTTPRequest) -> (reply: HTTPReply, settled: @Sendable () -> Void) {
        let (reply, record) = contents.withLock { contents in
            contents.catchUp()
            return contents.answer(request)
        }
        guard recordsReads || request.isWrite else { return (reply, {}) }
        return (reply, { [requests] in requests.append(record) })
    }
}

extension World.Contents {
    fileprivate mutating func answer(_ request: HTTPRequest) -> (HTTPReply, RecordedRequest) {
        var record = RecordedRequest(request: request, time: state.now, wasApplied: true, status: nil)
        func sent(_ response: HTTPResponse) -> RecordedRequest {
            record.status = response.status
            return record
        }

        switch strike(request) {
        case nil:
            let response = state.respond(to: request)
            return (.send(response), sent(response))
        case .answer(let response):
            record.wasApplied = false
            return (.send(response), sent(response))
        case .dropRequest:
            record.wasApplied = false
            return (.close, record)
        case .loseAnswer:
            _ = state.respond(to: request)
            return (.close, record)
        case .hold(let duration):
            let response = state.respond(to: request)
            return (.hold(response, for: duration), sent(response))
        case .cutBody(let length):
            var response = state.respond(to: request)
            response.cutAfter = length
            return (.send(response), sent(response))
        case .alter(let change):
            var response = state.respond(to: request)
            change(&response)
            return (.send(response), sent(response))
        }
    }

    private mutating func strike(_ request: HTTPRequest) -> Fault.Effect? {
        defer { faults.removeAll { $0.isSpent } }
        for index in faults.indices {
            if let effect = faults[index].strike(request) { return effect }
        }
        return nil
    }
}

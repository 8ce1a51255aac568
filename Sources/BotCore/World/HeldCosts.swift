import CEL
import Rules

/// The windows of costs that rules asked for, as they were read last.
struct HeldCosts: Sendable {
    private(set) var windows: [CostsRequest: HeldValue] = [:]
    /// Why the last reading of a window failed. An earlier one may still serve beside it.
    private(set) var failures: [CostsRequest: String] = [:]
    /// As read before. Nothing is known from before the start.
    private var previous: [CostsRequest: Object] = [:]

    /// How long a slot waits for the ledger to pass the end of its window (docs/rules.md, "Schedules").
    private static let ledgerPatience: Duration = .seconds(3_600)

    /// - Parameter localNow: on this machine's clock, which slots go by.
    mutating func take(_ reading: CostsReading, for request: CostsRequest, localNow: Timestamp, revision: UInt64) {
        failures[request] = nil
        var value = Value.object(reading.object)
        if let slot = request.slot, request.window.span == .yesterday, !reading.isComplete,
            localNow - slot < Self.ledgerPatience
        {
            let text = "Zimmer's ledger of costs has not passed \(reading.window.to.description) yet"
            value = .error(EvaluationError(.unavailable, text))
        }
        if request.slot == nil, case .object(let before)? = windows[request]?.value { previous[request] = before }
        windows[request] = HeldValue(value: value, readAt: reading.readAt, revision: revision)
    }

    mutating func fail(_ request: CostsRequest, _ reason: String) {
        failures[request] = reason
    }

    /// Forgets what was read for slots that are over.
    ///
    /// - Parameter slots: those whose runs go on.
    mutating func forget(but slots: Set<Timestamp>) {
        func isNeeded(_ request: CostsRequest) -> Bool { request.slot.map(slots.contains) ?? true }
        guard windows.keys.contains(where: { !isNeeded($0) }) || failures.keys.contains(where: { !isNeeded($0) }) else {
            return
        }
        windows = windows.filter { isNeeded($0.key) }
        failures = failures.filter { isNeeded($0.key) }
    }

    func variables(stale: Duration, now: Timestamp) -> [CostsRequest: World.Variable] {
        var variables: [CostsRequest: World.Variable] = [:]
        for (request, window) in windows {
            variables[request] = HeldValue?.some(window).variable("costs", stale: stale, now: now)
            variables[request]?.previous = previous[request]
        }
        return variables
    }

    /// As they came in.
    var intake: [Intake] {
        let readings = windows.compactMap { request, window -> Intake? in
            guard case .object(let object) = window.value else { return nil }
            return .costs(CostsReading(object, readAt: window.readAt, agentRoot: request.window.agentRoot), request)
        }
        return readings + failures.map { .failedCosts($0.key, reason: $0.value) }
    }
}

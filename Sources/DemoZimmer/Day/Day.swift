/// A day on a Zimmer, written down: what the board looks like in the morning, and what happens when.
package struct Day: Sendable {
    package var start: ServerTime
    package var length = Duration.hours(24)
    package var events: [Event]
    var morning: @Sendable (inout ZimmerState) -> Void

    package struct Event: Sendable, Hashable {
        /// Since the day's start.
        package var after: Duration
        package var change: Change
    }

    /// The server as it is when the day begins, with everything that will happen planned.
    package func makeState(apiKeys: Set<String> = [ZimmerState.demoKey]) -> ZimmerState {
        var state = ZimmerState(now: start, apiKeys: apiKeys)
        morning(&state)
        state.ledger.sweep(at: start)
        for event in events { state.agenda.plan(.change(event.change), at: start + event.after) }
        return state
    }
}

extension DemoServer {
    /// Plays a day, `speed` times as fast as the wall; nil for a clock that stands still until it is advanced.
    package convenience init(day: Day, speed: Double? = nil, port: UInt16 = 0) throws(HTTPServerError) {
        try self.init(
            state: day.makeState(), clock: speed.map { .running(from: day.start, speed: $0) }, port: port)
    }
}

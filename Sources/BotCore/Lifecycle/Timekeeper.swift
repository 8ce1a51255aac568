import CEL
import Rules

/// Decides when time alone asks for it: waits that end, slots that come due.
struct Timekeeper: Sendable {
    let pollers: Pollers
    let ledger: Ledger
    let clock: any BotClock
    /// Rung by every decision, as it may have brought the deadline nearer.
    let bell: Bell
    /// A slot that cannot be told yet is tried again so often.
    let patience: Duration

    /// No longer, so that a jump of the wall clock is noticed.
    private static let longest: Duration = .seconds(30)

    func run() async {
        var earliest = clock.now()
        while !Task.isCancelled {
            let now = clock.now()
            let due = await ledger.deadline.map { max($0, earliest) }
            if let due, due <= now {
                await decide()
                earliest = clock.now() + patience
                continue
            }
            let pause = due.map { min($0 - now, Self.longest) } ?? Self.longest
            await bell.wait(atMost: max(pause, .milliseconds(10)), clock)
        }
    }

    /// Decides now; first reads afresh what due slots use.
    func decide() async {
        let due = await ledger.dueSlots()
        if due.contains(where: { $0.rule.reads.contains("board") }) { _ = await pollers.readBoard(previous: nil) }
        if due.contains(where: { $0.rule.reads.contains("health") }) { await pollers.readHealth() }
        let requests = due.compactMap { $0.rule.costsRequest(slot: $0.slot.time) }
        let readings = await pollers.readings(of: requests)
        if Task.isCancelled { return }
        await pollers.commit {
            readings.isEmpty ? try await ledger.tick() : try await ledger.take(readings)
        }
    }
}

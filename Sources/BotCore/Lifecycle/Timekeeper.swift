import AdapterKit
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
    let pulse: Pulse

    /// No longer, so that a jump of the wall clock is noticed.
    private static let longest: Duration = .seconds(30)

    func run() async {
        // The first decision is what finds out when the next slot is.
        var retry: Timestamp? = clock.now()
        var tried: Timestamp?
        while !Task.isCancelled {
            pulse.beat()
            let now = clock.now()
            // A deadline that stays is one whose decision could not be stored.
            let deadline = await ledger.deadline.flatMap { $0 == tried ? nil : $0 }
            let due = [deadline, retry].compactMap { $0 }.min()
            if let due, due <= now {
                tried = await ledger.deadline
                await decide()
                retry = await isSomethingLeft() ? clock.now() + patience : nil
                continue
            }
            let pause = due.map { min($0 - now, Self.longest) } ?? Self.longest
            await bell.wait(atMost: max(pause, .milliseconds(10)), clock)
        }
    }

    /// A slot that cannot be told yet, or a decision that could not be stored.
    private func isSomethingLeft() async -> Bool {
        if let deadline = await ledger.deadline, deadline <= clock.now() { return true }
        return await !ledger.dueSlots().isEmpty
    }

    /// Decides now; first reads afresh what due slots use.
    func decide() async {
        let due = await ledger.dueSlots()
        if due.contains(where: { $0.rule.reads.contains("board") }) { _ = await pollers.readBoard(previous: nil) }
        if due.contains(where: { $0.rule.reads.contains("health") }) { _ = await pollers.readHealth() }
        let requests = due.flatMap { $0.rule.costsRequests(slot: $0.slot.time) }
        let readings = await pollers.readings(of: requests)
        if Task.isCancelled { return }
        await pollers.commit {
            readings.isEmpty ? try await ledger.tick() : try await ledger.take(readings)
        }
        await pollers.report(readings)
    }
}

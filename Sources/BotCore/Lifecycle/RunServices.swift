/// Runs services side by side until a signal asks to stop, one of them is done, or one fails; then stops all in an orderly way.
///
/// They start in the given order. They stop in the reverse one, each drained, cancelled and waited for before the next, so a
/// service can rely on those before it for as long as it lives. When `limit` is over all that are left are cancelled at once.
/// All run as children of this call, which returns when every one has ended; cancelling it cancels them without a drain.
///
/// - Parameters:
///   - onHangUp: called for SIGHUP; it hands the wish on and returns.
///   - onStop: called once, when a signal has asked to stop and before anything is drained.
///   - limit: for the drain of all services together.
/// - Throws: what the first service to fail has thrown, after all have ended.
package func runServices(
    _ services: [any Service],
    signals: AsyncStream<SignalSource.Signal>,
    onHangUp: @escaping @Sendable () -> Void = {},
    onStop: @escaping @Sendable () -> Void = {},
    drainingAtMost limit: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock()
) async throws {
    enum Event {
        case ended((any Error)?)
        case stopAsked
        case drained
        case timeIsUp
    }
    let runs = services.map(ServiceRun.init)
    let failure: (any Error)? = await withTaskGroup(of: Event.self) { group in
        for run in runs { group.addTask { .ended(await run.untilStopped()) } }
        group.addTask {
            for await signal in signals {
                if signal.asksToStop {
                    onStop()
                    break
                }
                onHangUp()
            }
            return .stopAsked
        }
        var failure: (any Error)?
        var left = runs.count
        var isDraining = false
        while left > 0, let event = await group.next() {
            switch event {
            case .ended(let error):
                left -= 1
                failure = failure ?? error
            case .timeIsUp:
                group.cancelAll()
            case .stopAsked, .drained:
                break
            }
            if !isDraining, left > 0, !group.isCancelled {
                isDraining = true
                group.addTask {
                    for run in runs.reversed() { await run.stop() }
                    return .drained
                }
                group.addTask {
                    do { try await clock.sleep(for: limit) } catch { return .drained }
                    return .timeIsUp
                }
            }
        }
        group.cancelAll()
        return failure
    }
    if let failure { throw failure }
}

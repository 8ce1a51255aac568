import AdapterKit
import CEL

/// Takes what commands of the program ask of the daemon, from the store's inbox.
struct InboxWatcher: Sendable {
    let ledger: Ledger
    let clock: any BotClock
    let log: any AdapterLog
    let pulse: Pulse
    /// Called when a request changed what may run.
    let changed: @Sendable () -> Void

    private static let interval: Duration = .milliseconds(500)

    func run() async {
        while !Task.isCancelled {
            await pass()
            pulse.beat()
            do { try await clock.sleep(for: Self.interval) } catch { return }
        }
    }

    func pass() async {
        do {
            if try await ledger.takeInbox() { changed() }
        } catch {
            log.write(.error, "the inbox could not be read", [("problem", "\(error)")])
        }
    }
}

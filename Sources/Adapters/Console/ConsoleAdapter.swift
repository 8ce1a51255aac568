// Start here: `ConsoleKind` is what may be configured, `ConsoleText` how a message looks.

import AdapterKit

/// Prints messages.
struct ConsoleAdapter: Adapter {
    let usesColor: Bool
    let output: @Sendable (String) throws -> Void

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        do {
            try output(ConsoleText(usesColor: usesColor).render(delivery.message))
            return .delivered(Receipt())
        } catch {
            return .wait(reason: "cannot write to standard output", retryAfter: nil)
        }
    }
}

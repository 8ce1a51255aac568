// Start here: `ConsoleKind` is what may be configured, `ConsoleText` how a message looks.

import AdapterKit

/// Prints messages.
struct ConsoleAdapter: Adapter {
    let usesColor: Bool
    let output: @Sendable (String) throws -> Void

    let account = "console"

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        do {
            try output(text(delivery))
            return .delivered(Receipt())
        } catch {
            return .wait(reason: "cannot write to standard output", retryAfter: nil)
        }
    }

    func render(_ delivery: Delivery) -> [RenderedPart] {
        [RenderedPart(label: "text", bytes: Array(text(delivery).utf8))]
    }

    private func text(_ delivery: Delivery) -> String {
        ConsoleText(usesColor: usesColor).render(delivery.message)
    }
}

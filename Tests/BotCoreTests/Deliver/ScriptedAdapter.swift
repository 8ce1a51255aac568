import AdapterKit
import Synchronization

/// Answers as told, and says what it was given.
final class ScriptedAdapter: Adapter {
    let account = "scripted"
    let recognizesRepeats: Bool
    private let outcomes: Mutex<[DeliveryOutcome]>
    private let deliveries = Mutex<[AdapterKit.Delivery]>([])
    private let held: AsyncStream<Void>?
    let started: AsyncStream<DeliveryID>
    private let startedContinuation: AsyncStream<DeliveryID>.Continuation

    /// - Parameters:
    ///   - outcomes: In order; afterwards everything is delivered.
    ///   - held: A delivery ends when this gives something.
    init(_ outcomes: [DeliveryOutcome] = [], held: AsyncStream<Void>? = nil, recognizesRepeats: Bool = true) {
        self.outcomes = Mutex(outcomes)
        self.held = held
        self.recognizesRepeats = recognizesRepeats
        (started, startedContinuation) = AsyncStream.makeStream()
    }

    var given: [AdapterKit.Delivery] { deliveries.withLock { $0 } }

    /// What was said, a message each.
    var said: [String] { given.map(\.message.body.plainText) }

    func deliver(_ delivery: AdapterKit.Delivery) async -> DeliveryOutcome {
        deliveries.withLock { $0.append(delivery) }
        startedContinuation.yield(delivery.id)
        if let held {
            var iterator = held.makeAsyncIterator()
            await iterator.next()
            if Task.isCancelled { return .wait(reason: "cancelled", retryAfter: nil) }
        }
        return outcomes.withLock { outcomes in
            guard outcomes.isEmpty else { return outcomes.removeFirst() }
            return .delivered(delivery.replaces ?? Receipt(id: "$\(delivery.id)"))
        }
    }

    func render(_ delivery: AdapterKit.Delivery) -> [RenderedPart] { [] }
}

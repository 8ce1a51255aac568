import AdapterKit
import Synchronization

/// Says once that a reading is not whole, and once that it is again, however often it is made.
final class PartialReadings: Sendable {
    private let partial = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - problem: nil for a reading that is whole.
    ///   - isFailure: a call failed, which the client has written down.
    func note(_ reader: String, _ problem: String?, isFailure: Bool, in log: any AdapterLog) {
        guard let problem else {
            guard partial.withLock({ $0.remove(reader) }) != nil else { return }
            return log.write(.info, "a reading is whole again", [("reader", reader)])
        }
        let isNews = !isFailure && partial.withLock { $0.insert(reader).inserted }
        log.write(isNews ? .warning : .debug, "a reading is not whole", [("reader", reader), ("problem", problem)])
    }
}

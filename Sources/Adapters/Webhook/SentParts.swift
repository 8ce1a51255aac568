import AdapterKit

/// Remembers which parts of a message have gone, so that the next try begins behind them.
///
/// One message at a time: of another that was cut off too, the parts go again.
struct SentParts: Sendable {
    let channel: String
    let store: any AdapterStore

    private var name: String { "webhook \(channel) parts" }

    /// What the service calls the parts that have gone; empty texts where it does not say.
    func ids(of delivery: DeliveryID) async -> [String] {
        // What cannot be read only makes parts go twice.
        guard let text = try? await store.value(name) else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.first == delivery.text ? Array(lines.dropFirst()) : []
    }

    func keep(_ ids: [String], of delivery: DeliveryID) async {
        try? await store.set(name, to: ([delivery.text] + ids).joined(separator: "\n"))
    }
}

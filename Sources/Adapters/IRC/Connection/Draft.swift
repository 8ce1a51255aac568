import AdapterKit

/// A message that is to go into a channel, before it is known how long a line may be.
struct Draft: Sendable {
    static let repetition = " (may be repeated)"

    let id: DeliveryID
    /// Of the connection's.
    let slot: Int
    private let message: MessageLines
    private let layout: LineLayout

    init(_ delivery: Delivery, slot: Int) {
        id = delivery.id
        self.slot = slot
        message = MessageLines(delivery.message)
        let names = delivery.mentions.map(\.withoutFormatting).filter { !$0.isEmpty }
        layout = LineLayout(
            limit: 0, url: delivery.message.subject?.url?.withoutFormatting,
            prefix: names.isEmpty ? "" : names.joined(separator: ", ") + ": ",
            suffix: delivery.mayBeRepeated ? Self.repetition : "")
    }

    func lines(limit: Int) -> [[Span]] {
        var layout = layout
        layout.limit = limit
        return layout.lines(message)
    }

    /// The rest of a message whose first lines have arrived; nil where it no longer fits.
    func lines(_ rest: [[Span]], limit: Int) -> [[Span]]? {
        guard let last = rest.last, rest.allSatisfy({ $0.formatted.utf8.count <= limit }) else { return nil }
        let marked = last + [Span(layout.suffix)]
        let isMarked = last.plain.hasSuffix(layout.suffix)
        return isMarked || marked.formatted.utf8.count > limit ? rest : rest.dropLast() + [marked]
    }
}

/// How far earlier attempts came, as long as this process lives: lines that arrived are not sent again.
struct AttemptMemory: Sendable {
    private static let mostEntries = 64

    private var entries: [(id: DeliveryID, rest: [[Span]])] = []

    /// Keeps what has not arrived for certain, where something has.
    mutating func keep(_ delivery: LineDelivery, _ id: DeliveryID) {
        forget(id)
        let rest = delivery.parts.filter { $0.state != .confirmed }.map(\.line)
        guard !rest.isEmpty, rest.count < delivery.parts.count else { return }
        if entries.count == Self.mostEntries { entries.removeFirst() }
        entries.append((id, rest))
    }

    mutating func forget(_ id: DeliveryID) {
        entries.removeAll { $0.id == id }
    }

    /// The lines of this attempt.
    func lines(_ draft: Draft, limit: Int) -> [[Span]] {
        let rest = entries.last { $0.id == draft.id }?.rest
        return rest.flatMap { draft.lines($0, limit: limit) } ?? draft.lines(limit: limit)
    }
}

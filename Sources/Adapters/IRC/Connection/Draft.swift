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

    /// - Parameter mayBeRepeated: known here, although the bot does not know it.
    func lines(limit: Int, mayBeRepeated: Bool = false) -> [[Span]] {
        var layout = layout
        layout.limit = limit
        if mayBeRepeated { layout.suffix = Self.repetition }
        return layout.lines(message)
    }
}

/// What became of earlier attempts, as long as this process lives: lines that arrived are not sent again.
struct AttemptMemory: Sendable {
    private struct Entry {
        /// What has not arrived for certain; nil: nothing has.
        var rest: [[Span]]?
        var isUncertain: Bool
    }

    private static let mostEntries = 64

    private var entries: [(id: DeliveryID, entry: Entry)] = []

    /// Keeps what is to be done at the next attempt.
    mutating func keep(_ delivery: LineDelivery, _ id: DeliveryID) {
        forget(id)
        let rest = delivery.parts.filter { $0.state != .confirmed }.map(\.line)
        let isBegun = rest.count < delivery.parts.count
        guard !rest.isEmpty, isBegun || delivery.isUncertain else { return }
        if entries.count == Self.mostEntries { entries.removeFirst() }
        entries.append((id, Entry(rest: isBegun ? rest : nil, isUncertain: delivery.isUncertain)))
    }

    mutating func forget(_ id: DeliveryID) {
        entries.removeAll { $0.id == id }
    }

    /// The lines of this attempt.
    func lines(_ draft: Draft, limit: Int) -> [[Span]] {
        guard let entry = entries.last(where: { $0.id == draft.id })?.entry else { return draft.lines(limit: limit) }
        guard var rest = entry.rest, rest.allSatisfy({ $0.formatted.utf8.count <= limit }) else {
            return draft.lines(limit: limit, mayBeRepeated: true)
        }
        let isMarked = rest.last?.plain.contains(Draft.repetition) ?? true
        if entry.isUncertain, !isMarked {
            let marked = (rest.last ?? []) + [Span(Draft.repetition)]
            if marked.formatted.utf8.count <= limit { rest[rest.count - 1] = marked }
        }
        return rest
    }
}

/// The ids of the last events that were handled: a homeserver gives them again after a crash or where batches overlap.
struct HandledEvents: Hashable, Sendable {
    private var ids: Set<String> = []
    /// In order of arrival; the next one takes the place of the oldest.
    private var ring: [String] = []
    private var oldest = 0
    private let capacity: Int

    /// - Parameter capacity: At least 1.
    init(capacity: Int = 10_000) {
        self.capacity = max(1, capacity)
    }

    func contains(_ id: String) -> Bool {
        ids.contains(id)
    }

    /// - Complexity: O(1).
    mutating func insert(_ id: String) {
        guard ids.insert(id).inserted else { return }
        guard ring.count == capacity else { return ring.append(id) }
        ids.remove(ring[oldest])
        ring[oldest] = id
        oldest = (oldest + 1) % capacity
    }
}

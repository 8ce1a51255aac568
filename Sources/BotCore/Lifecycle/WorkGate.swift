/// Counts work that must not be cut off, and lets no more in once it is closed.
actor WorkGate {
    private var inside = 0
    private var isClosed = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Does the work; nil, without doing it, when the gate is closed.
    func pass<Result: Sendable>(_ work: () async -> Result) async -> Result? {
        guard !isClosed else { return nil }
        inside += 1
        defer { leave() }
        return await work()
    }

    private func leave() {
        inside -= 1
        guard isClosed, inside == 0 else { return }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Returns when everything inside is done.
    func close() async {
        isClosed = true
        guard inside > 0 else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}

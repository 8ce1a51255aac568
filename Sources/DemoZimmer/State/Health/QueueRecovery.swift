/// Queue recovery mode: everything but the agents' own queue stands still.
package struct QueueRecovery: Sendable, Hashable {
    package private(set) var enteredAt: ServerTime?
    package private(set) var expiresAt: ServerTime?
    package private(set) var reason: String?
    package private(set) var enteredBy: String?
    /// Queues that a person paused by hand.
    package var handPaused: [String] = []

    static let halted = ["pollers", "triggers", "default", "inference", "maintenance"]

    package init() {}

    package var isActive: Bool { enteredAt != nil }
    var paused: [String] { isActive ? Self.halted : handPaused }

    /// Entering again extends it.
    package mutating func enter(reason: String?, by author: String, for duration: Duration, at now: ServerTime) {
        enteredAt = enteredAt ?? now
        expiresAt = now + duration
        self.reason = reason
        enteredBy = author
    }

    package mutating func exit() {
        self = QueueRecovery(handPaused: handPaused)
    }

    private init(handPaused: [String]) {
        self.handPaused = handPaused
    }

    mutating func expire(at now: ServerTime) {
        if let expiresAt, expiresAt <= now { exit() }
    }

    func json(at now: ServerTime) -> JSON {
        [
            "active": .bool(isActive), "entered_at": JSON(enteredAt), "expires_at": JSON(expiresAt),
            "expires_in_seconds": JSON(expiresAt.map { Int(max(.zero, $0 - now).components.seconds) }),
            "reason": JSON(reason), "entered_by": JSON(enteredBy), "halted_queues": JSON(Self.halted),
            "paused_queues": JSON(paused), "live_queues": ["agents"],
        ]
    }
}

/// Names stopped resolving.
package struct EgressProblem: Sendable, Hashable {
    package var since: ServerTime
    package var detail: String

    package init(since: ServerTime, detail: String) {
        self.since = since
        self.detail = detail
    }
}

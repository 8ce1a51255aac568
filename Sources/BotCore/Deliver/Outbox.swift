package import AdapterKit
package import CEL

/// What a channel's worker needs of the store: the messages without an outcome, and a place for outcomes.
///
/// A worker that cannot write an outcome down tries that again before anything else, so a method may throw for as long as a
/// disk is full.
package protocol Outbox: Sendable {
    /// The messages of a channel that wait, urgent ones first, then in the order in which they were put in.
    func pending(_ channel: String, limit: Int) async throws -> OutboxPage
    func markDelivered(_ id: DeliveryID, _ receipt: Receipt) async throws
    /// - Parameter attempt: How often it has been tried now.
    func markRetry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp, reason: String) async throws
    /// Gives a message up. It stays readable, for `status` and `log`.
    func markDead(_ id: DeliveryID, reason: String) async throws
}

/// The first of the messages that wait.
package struct OutboxPage: Hashable, Sendable {
    package var entries: [OutboxEntry]
    /// How many wait in all.
    package var total: Int

    package init(entries: [OutboxEntry], total: Int) {
        self.entries = entries
        self.total = total
    }
}

/// A message that waits.
package struct OutboxEntry: Hashable, Sendable {
    package var id: DeliveryID
    package var message: Message
    package var createdAt: Timestamp
    /// How often it has been tried.
    package var attempts: Int
    package var notBefore: Timestamp?

    package init(
        id: DeliveryID, message: Message, createdAt: Timestamp, attempts: Int = 0, notBefore: Timestamp? = nil
    ) {
        self.id = id
        self.message = message
        self.createdAt = createdAt
        self.attempts = attempts
        self.notBefore = notBefore
    }
}

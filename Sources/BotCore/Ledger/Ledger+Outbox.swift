package import AdapterKit
package import CEL
import Foundation

extension Ledger: Outbox {
    package func pending(_ channel: String, limit: Int) throws -> OutboxPage {
        let (page, broken) = try OutboxStore(database).pending(channel, limit: limit)
        for id in broken { try markDead(id, reason: "the stored message cannot be read") }
        return page
    }

    package func markDelivered(_ id: DeliveryID, _ receipt: Receipt) throws {
        try database.transaction { try end(id, as: .delivered, detail: receipt.ids.joined(separator: " ")) }
    }

    package func markRetry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp, reason: String) throws {
        try OutboxStore(database).retry(id, attempt: attempt, notBefore: notBefore, reason: reason)
    }

    package func markDead(_ id: DeliveryID, reason: String) throws {
        try database.transaction { try end(id, as: .dead, detail: reason) }
    }

    /// Inside a transaction.
    func end(_ id: DeliveryID, as state: OutboxStore.State, detail: String) throws {
        guard let entry = try OutboxStore(database).end(id, as: state, detail: detail, now: clock.now()) else { return }
        let text = detail.isEmpty ? "\(entry.channel) \(id)" : "\(entry.channel) \(id): \(detail)"
        try AuditStore(database).append(
            at: instant(), kind: state.rawValue, rule: entry.rule, subject: entry.subject, episode: entry.episode,
            detail: text)
    }
}

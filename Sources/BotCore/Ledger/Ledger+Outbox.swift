package import AdapterKit
package import CEL
import Foundation

extension Ledger: Outbox {
    package func pending(_ channel: String, limit: Int) throws -> OutboxPage {
        try OutboxStore(database).pending(channel, limit: limit)
    }

    package func markDelivered(_ id: DeliveryID, _ receipt: Receipt) throws {
        try end(id, as: .delivered, attempts: nil, detail: receipt.id)
    }

    package func markRetry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp, reason: String) throws {
        try OutboxStore(database).retry(id, attempt: attempt, notBefore: notBefore, reason: reason)
    }

    package func markDead(_ id: DeliveryID, reason: String) throws {
        try end(id, as: .dead, attempts: nil, detail: reason)
    }

    private func end(_ id: DeliveryID, as state: OutboxStore.State, attempts: Int?, detail: String) throws {
        let now = instant()
        try database.transaction {
            guard let entry = try OutboxStore(database).end(id, as: state, detail: detail, now: now) else { return }
            let text = detail.isEmpty ? "\(entry.channel) \(id)" : "\(entry.channel) \(id): \(detail)"
            try AuditStore(database).append(
                at: now, kind: state.rawValue, rule: entry.rule, subject: entry.subject, episode: entry.episode,
                detail: text)
        }
    }
}

package import AdapterKit
package import CEL
import Foundation

extension Ledger: Outbox {
    package func pending(_ channel: String, limit: Int, now: Timestamp) throws -> OutboxPage {
        while true {
            let (page, broken) = try OutboxStore(database).pending(channel, limit: limit, now: now)
            // A page of such rows alone would look as if nothing could go.
            guard !broken.isEmpty else { return page }
            try giveUp(broken)
        }
    }

    package func begin(_ id: DeliveryID, marking: Bool) throws -> OutboxContext {
        try database.transaction {
            let context = try OutboxStore(database).context(of: id, now: clock.now())
            if marking, context.supersededBy == nil { try OutboxStore(database).mark(id, isAttempting: true) }
            return context
        }
    }

    package func takeBack(_ id: DeliveryID) throws {
        try OutboxStore(database).mark(id, isAttempting: false)
    }

    package func markDelivered(_ id: DeliveryID, _ receipt: Receipt) throws {
        try database.transaction {
            try OutboxStore(database).note(receipt, of: id, now: clock.now())
            try end(id, as: .delivered, detail: receipt.stored)
        }
    }

    package func markRetry(
        _ id: DeliveryID, attempt: Int, notBefore: Timestamp?, reason: String, isDoubtful: Bool
    ) throws {
        try OutboxStore(database).retry(
            id, attempt: attempt, notBefore: notBefore, reason: reason, isDoubtful: isDoubtful)
    }

    package func markDead(_ id: DeliveryID, reason: String) throws {
        let channel = try database.transaction { try end(id, as: .dead, detail: reason) }
        guard let channel else { return }
        incidents.append(
            NoticeBook.Cause(
                id: "dead:\(channel)",
                text: "Channel \(channel) was not given a message: \(reason) ('zimmer-bot status')",
                isEvent: true, channel: channel))
    }

    package func hold(_ id: DeliveryID, as hold: OutboxEntry.Hold, until: Timestamp) throws {
        try OutboxStore(database).hold(id, as: hold, until: until)
    }

    package func released(
        _ channel: String, _ hold: OutboxEntry.Hold, now: Timestamp, limit: Int
    ) throws -> [OutboxEntry] {
        let found = try OutboxStore(database).released(channel, hold, now: now, limit: limit)
        try giveUp(found.broken)
        return found.entries
    }

    package func overdue(
        _ channel: String, before: Timestamp, notices: Timestamp, limit: Int
    ) throws -> [OutboxEntry] {
        let found = try OutboxStore(database).overdue(
            channel, before: before, notices: notices, now: clock.now(), limit: limit)
        try giveUp(found.broken)
        return found.entries
    }

    package func fold(_ ids: [DeliveryID], into folded: FoldedMessage?, reason: String) throws {
        let store = OutboxStore(database)
        try database.transaction {
            var detail = reason
            if let folded, let first = ids.first {
                try store.noteGroup(of: first, now: clock.now())
                let entry = OutboxStore.Entry(
                    message: folded.message, callsPeople: try !folded.range.isLine && store.callPeople(ids),
                    rank: try store.rank(of: first), folded: folded.range)
                let id = try store.append(entry, store: storeName, now: clock.now())
                detail = "\(reason): \(id)"
            }
            for id in ids { try end(id, as: .folded, detail: detail) }
        }
    }

    package func letGo(_ ids: [DeliveryID]) throws {
        try database.transaction { try OutboxStore(database).letGo(ids, now: clock.now()) }
    }

    private func giveUp(_ broken: [DeliveryID]) throws {
        for id in broken { try markDead(id, reason: "the stored message cannot be read") }
    }

    /// Inside a transaction.
    ///
    /// - Returns: its channel; nil when it had ended before.
    @discardableResult
    func end(_ id: DeliveryID, as state: OutboxStore.State, detail: String) throws -> String? {
        guard let entry = try OutboxStore(database).end(id, as: state, detail: detail, now: clock.now()) else {
            return nil
        }
        let text = detail.isEmpty ? "\(entry.channel) \(id)" : "\(entry.channel) \(id): \(detail)"
        try AuditStore(database).append(
            at: instant(), kind: state.rawValue, rule: entry.rule, subject: entry.subject, episode: entry.episode,
            detail: text.printableLine)
        return entry.channel
    }
}

import AdapterKit
import CEL
import Foundation

/// Reading what waits.
extension OutboxStore {
    /// Entries, and the ids of rows whose message cannot be read any more.
    typealias Found = (entries: [OutboxEntry], broken: [DeliveryID])

    /// The messages of a channel that may go, urgent ones first, then in the order in which they were put in.
    func pending(_ channel: String, limit: Int, now: Timestamp) throws -> (page: OutboxPage, broken: [DeliveryID]) {
        let found = try entries(
            "(release_at IS NULL OR release_at <= ?2)", channel, now.microseconds, limit: limit)
        // What another rule holds back comes free at no time that is known.
        let counts = "SELECT count(*), min(CASE WHEN release_at > ?2 AND release_at < ?3 THEN release_at END)"
        let (total, next) =
            try database.first(
                "\(counts) FROM outbox WHERE channel = ?1 AND state = 'waiting'", channel, now.microseconds,
                Self.never.microseconds
            ) { row in (row[0] as Int, row[1] as Timestamp?) } ?? (0, nil)
        return (OutboxPage(entries: found.entries, total: total, nextRelease: next), found.broken)
    }

    /// What was held together and may go.
    func released(_ channel: String, _ hold: OutboxEntry.Hold, now: Timestamp, limit: Int) throws -> Found {
        switch hold {
        case .quiet:
            try entries("hold = 'quiet' AND release_at <= ?2", channel, now.microseconds, limit: limit)
        case .suppressed:
            try entries("hold = 'suppress' AND release_at <= ?2", channel, now.microseconds, limit: limit)
        case .group(let rule, let value):
            try entries(
                "hold = 'group' AND release_at <= ?2 AND rule = ?3 AND group_value = ?4", channel, now.microseconds,
                rule, value, limit: limit)
        }
    }

    /// What could go before these times and did not, and lines about such.
    func overdue(
        _ channel: String, before: Timestamp, notices: Timestamp, now: Timestamp, limit: Int
    ) throws -> Found {
        let condition = """
            urgency <> 'high' AND (release_at IS NULL OR release_at <= ?4)
            AND (max(created_at, coalesce(release_at, 0)) < CASE kind WHEN 'notice' THEN ?3 ELSE ?2 END
                OR json_extract(folded, '$.isLine'))
            """
        return try entries(
            condition, channel, before.microseconds, notices.microseconds, now.microseconds, limit: limit)
    }

    /// In which messages go; an index has it.
    static let order = "urgency <> 'high', coalesce(rank, position), position"

    /// - Parameters:
    ///   - condition: `?1` is the channel, the others follow.
    private func entries(
        _ condition: String, _ channel: String, _ values: any DatabaseValue..., limit: Int
    ) throws -> Found {
        let sql = """
            SELECT id, message, created_at, attempts, not_before, hold, rule, group_value, release_at, folded, run
            FROM outbox WHERE channel = ?1 AND state = 'waiting' AND \(condition)
            ORDER BY \(Self.order) LIMIT \(limit)
            """
        var broken: [DeliveryID] = []
        let found = try database.query(sql, values: [channel] + values) { row -> OutboxEntry? in
            let text: String = row[1]
            guard let message = try? JSONDecoder().decode(Message.self, from: Data(text.utf8)) else {
                broken.append(DeliveryID(row[0]))
                return nil
            }
            return OutboxEntry(
                id: DeliveryID(row[0]), message: message, createdAt: row[2], attempts: row[3],
                notBefore: row[4], hold: Self.hold(row),
                releasedAt: row[8], folded: Self.folded(row[9]),
                run: (row[10] as Int64?).map(String.init))
        }
        return (found.compactMap { $0 }, broken)
    }

    private static func hold(_ row: borrowing DatabaseRow) -> OutboxEntry.Hold? {
        switch row[5] as String? {
        case "quiet": .quiet
        case "group": .group(rule: row[6], value: row[7])
        case "suppress": .suppressed
        default: nil
        }
    }

    private static func folded(_ text: String?) -> FoldedMessage.Range? {
        text.flatMap { try? JSONDecoder().decode(FoldedMessage.Range.self, from: Data($0.utf8)) }
    }
}

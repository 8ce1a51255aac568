import AdapterKit
import CEL

/// Where a message belongs: its thread, its group, the messages that it replaces or that replace it.
extension OutboxStore {
    /// How long a message may wait until what happened since makes it void.
    private static let freshness: Duration = .seconds(60)

    /// - Throws: also where no such message waits.
    func context(of id: DeliveryID, now: Timestamp) throws -> OutboxContext {
        let sql =
            "SELECT channel, thread, is_update, calls_people, is_attempting, run, kind, created_at FROM outbox WHERE id = ? AND state = 'waiting'"
        let found = try database.first(sql, id.text) { row in
            let context = OutboxContext(callsPeople: row[3], mayBeRepeated: row[4])
            return (
                context: context, channel: row[0] as String, thread: row[1] as String?, isUpdate: row[2] as Bool,
                run: row[5] as Int64?, kind: row[6] as String, createdAt: row[7] as Timestamp
            )
        }
        guard let found else {
            throw DatabaseError(.failed, path: database.path, detail: "message \(id) no longer waits")
        }
        var context = found.context
        if let name = found.thread { context.thread = try thread(name, in: found.channel) }
        if let run = found.run {
            if found.isUpdate { context.replaces = try delivered(of: run, in: found.channel) }
            let isStale = now - found.createdAt >= Self.freshness
            context.supersededBy = try successor(
                of: id, kind: found.kind, run: run, in: found.channel, isStale: isStale, now: now)
        }
        return context
    }

    private func thread(_ name: String, in channel: String) throws -> Delivery.Thread? {
        try database.first("SELECT root, latest FROM threads WHERE channel = ? AND name = ?", channel, name) { row in
            Delivery.Thread(root: Receipt(stored: row[0]), latest: Receipt(stored: row[1]))
        }
    }

    /// Runs of one episode: `mine` is given, `other` is found.
    private static let sameEpisode = """
        runs AS mine JOIN runs AS other ON other.rule = mine.rule AND other.subject_type = mine.subject_type
            AND other.subject_id = mine.subject_id AND other.key = mine.key AND other.episode = mine.episode
        JOIN outbox ON outbox.run = other.id
        """

    /// The episode's last message that was no edit.
    private func delivered(of run: Int64, in channel: String) throws -> Receipt? {
        let sql = """
            SELECT receipt FROM \(Self.sameEpisode) WHERE mine.id = ? AND outbox.channel = ? AND outbox.state = 'delivered'
                AND is_update = 0 AND receipt <> '' ORDER BY position DESC LIMIT 1
            """
        return try database.first(sql, run, channel) { row in Receipt(stored: row[0]) }
    }

    /// A message of the same episode that waits behind this one and makes it void: an edit of it, and not of one between
    /// them; and of what is stale, the end of what it tells. While the episode lasts, what may be held or calls nobody is
    /// no successor of what may not or does.
    private func successor(
        of id: DeliveryID, kind: String, run: Int64, in channel: String, isStale: Bool, now: Timestamp
    ) throws -> DeliveryID? {
        let endings = isStale ? (kind == "firing" ? "'resolved'" : kind == "repeat" ? "'resolved', 'repeat'" : "") : ""
        let sql = """
            SELECT outbox.id FROM \(Self.sameEpisode) JOIN outbox AS void ON void.id = ?3
            WHERE mine.id = ?1 AND outbox.channel = ?2
                AND outbox.state = 'waiting' AND (outbox.release_at IS NULL OR outbox.release_at <= ?4)
                AND outbox.position > void.position AND (outbox.kind IN (\(endings)) OR outbox.is_update AND NOT EXISTS
                    (SELECT 1 FROM runs AS third JOIN outbox AS edited ON edited.run = third.id
                    WHERE third.rule = mine.rule AND third.subject_type = mine.subject_type
                        AND third.subject_id = mine.subject_id AND third.key = mine.key AND third.episode = mine.episode
                        AND edited.channel = ?2 AND NOT edited.is_update AND edited.state IN ('waiting', 'delivered')
                        AND edited.position > void.position AND edited.position < outbox.position))
                AND (outbox.kind = 'resolved' OR outbox.calls_people >= void.calls_people
                    AND (outbox.urgency = 'high') >= (void.urgency = 'high'))
            ORDER BY outbox.position DESC LIMIT 1
            """
        return try database.first(sql, run, channel, id.text, now.microseconds) { row in DeliveryID(row[0]) }
    }

    /// Remembers a thread's last message, and the first one as its root. An edit stands where its message stands.
    func note(_ receipt: Receipt, of id: DeliveryID, now: Timestamp) throws {
        guard !receipt.ids.isEmpty, try edited(by: id) != receipt else { return }
        let sql = """
            INSERT INTO threads (channel, name, root, latest, used_at)
                SELECT channel, thread, ?1, ?1, ?2 FROM outbox WHERE id = ?3 AND thread IS NOT NULL
            ON CONFLICT DO UPDATE SET latest = excluded.latest, used_at = excluded.used_at
            """
        try database.run(sql, receipt.stored, now.microseconds, id.text)
    }

    private func edited(by id: DeliveryID) throws -> Receipt? {
        let sql = "SELECT run, channel FROM outbox WHERE id = ? AND is_update AND run IS NOT NULL"
        let found = try database.first(sql, id.text) { row in (run: row[0] as Int64, channel: row[1] as String) }
        return try found.flatMap { try delivered(of: $0.run, in: $0.channel) }
    }

    // MARK: - Holding

    /// When a message of a group goes: with those that wait, else after `wait`, and not before `interval` has passed since
    /// the group's last message.
    func release(
        of hold: OutboxEntry.Hold, in channel: String, wait: Duration, interval: Duration, now: Timestamp
    ) throws -> Timestamp {
        guard case .group(let rule, let value) = hold else { return now + wait }
        let waiting: Timestamp?? = try database.first(
            """
            SELECT min(release_at) FROM outbox
            WHERE channel = ? AND rule = ? AND group_value = ? AND state = 'waiting' AND hold = 'group'
            """, channel, rule, value
        ) { $0[0] }
        if let release = waiting ?? nil { return release }
        let sent: Timestamp? = try database.first(
            "SELECT sent_at FROM groups WHERE channel = ? AND rule = ? AND value = ?", channel, rule, value
        ) { $0[0] }
        return max(now + wait, sent.map { $0 + interval } ?? now)
    }

    func hold(_ id: DeliveryID, as hold: OutboxEntry.Hold, until time: Timestamp) throws {
        try database.run(
            "UPDATE outbox SET hold = ?, release_at = ? WHERE id = ? AND state = 'waiting'", hold.word,
            time.microseconds, id.text)
    }

    /// Lets messages go by themselves; their group has sent one now.
    func letGo(_ ids: [DeliveryID], now: Timestamp) throws {
        for id in ids {
            try noteGroup(of: id, now: now)
            try database.run("UPDATE outbox SET hold = NULL WHERE id = ?", id.text)
        }
    }

    /// Where quiet hours have changed, or the clock was put back, what is held for later is looked at again. What may go by
    /// now stays together.
    ///
    /// A message from the future, or let go in it, is one of a clock that was ahead.
    /// - Parameters:
    ///   - mutedUntil: a person's wish, which stands.
    ///   - rules: those in force; what a rule said that is gone waits for the end of its quiet hours all the same. Nil
    ///     where that end may be wrong too.
    func lookAgain(now: Timestamp, mutedUntil: Timestamp? = nil, of rules: [String]? = nil) throws {
        let sql = """
            UPDATE outbox SET hold = CASE hold WHEN 'group' THEN hold END, release_at = ?1
            WHERE state = 'waiting' AND release_at > ?1 AND suppressed_by IS NULL AND (hold IS NOT 'group' OR created_at > ?1)
                AND (?2 IS NULL OR rule IS NULL OR rule IN (SELECT value FROM json_each(?2)))
            """
        try database.run(sql, now.microseconds, try rules.map(Self.text))
        if let mutedUntil, mutedUntil > now { try hold(until: mutedUntil) }
        try database.run("UPDATE groups SET sent_at = ?1 WHERE sent_at > ?1", now.microseconds)
    }

    /// Lets what waits be as old, and wait as long, by a clock that somebody put forward. Quiet hours end when the clock says.
    func moveForward(by jump: Duration, to now: Timestamp) throws {
        let sql = """
            UPDATE outbox SET created_at = created_at + ?1, not_before = not_before + ?1, release_at = CASE
                WHEN hold = 'quiet' THEN max(release_at, ?2)
                WHEN release_at < ?3 THEN release_at + ?1 ELSE release_at END
            WHERE state = 'waiting'
            """
        let (seconds, attoseconds) = jump.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        try database.run(sql, microseconds, now.microseconds, Self.never.microseconds)
        try database.run("UPDATE groups SET sent_at = sent_at + ?1", microseconds)
    }

    /// Holds all that waits and is not urgent; what is held longer stays so.
    func hold(until time: Timestamp) throws {
        let sql = """
            UPDATE outbox SET hold = CASE hold WHEN 'group' THEN hold ELSE 'quiet' END, release_at = ?1
            WHERE state = 'waiting' AND urgency <> 'high' AND suppressed_by IS NULL AND coalesce(release_at, 0) < ?1
            """
        try database.run(sql, time.microseconds)
    }

    /// Gives groups that waited for the end of a mute, which came early, the time at which they go by themselves.
    ///
    /// - Parameter timing: how the groups of a rule go; nil of one that has none any more, and they go now.
    func endMute(
        of until: Timestamp, now: Timestamp, timing: (_ rule: String) -> (wait: Duration, interval: Duration)?
    ) throws {
        let sql = """
            SELECT outbox.channel, outbox.rule, group_value, min(created_at), max(sent_at)
            FROM outbox LEFT JOIN groups
                ON groups.channel = outbox.channel AND groups.rule = outbox.rule AND groups.value = group_value
            WHERE state = 'waiting' AND hold = 'group' AND release_at = ? GROUP BY 1, 2, 3
            """
        let found = try database.query(sql, until) { row in
            (
                channel: row[0] as String, rule: row[1] as String, value: row[2] as String, first: row[3] as Timestamp,
                sent: row[4] as Timestamp?
            )
        }
        for group in found {
            let release = timing(group.rule).map { timing in
                max(now, group.first + timing.wait, group.sent.map { $0 + timing.interval } ?? now)
            }
            let sql = """
                UPDATE outbox SET release_at = ? WHERE state = 'waiting' AND hold = 'group' AND release_at = ?
                    AND channel = ? AND rule = ? AND group_value = ?
                """
            try database.run(sql, release ?? now, until, group.channel, group.rule, group.value)
        }
    }

    func noteGroup(of id: DeliveryID, now: Timestamp) throws {
        let sql = """
            INSERT OR REPLACE INTO groups (channel, rule, value, sent_at)
                SELECT channel, rule, group_value, ? FROM outbox WHERE id = ? AND hold = 'group' AND rule IS NOT NULL
            """
        try database.run(sql, now.microseconds, id.text)
    }

    /// One of these is to call those whom the channel names.
    func callPeople(_ ids: [DeliveryID]) throws -> Bool {
        try ids.contains { id in
            try database.first("SELECT calls_people FROM outbox WHERE id = ?", id.text) { $0[0] } ?? false
        }
    }

    /// Where a message stands in its channel.
    func rank(of id: DeliveryID) throws -> Int? {
        try database.first("SELECT coalesce(rank, position) FROM outbox WHERE id = ?", id.text) { $0[0] }
    }
}

extension Receipt {
    var stored: String { ids.joined(separator: "\n") }

    init(stored: String) {
        self.init(ids: stored.split(separator: "\n").map(String.init))
    }
}

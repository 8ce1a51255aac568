package import CEL

/// What the bot remembers of a session because Zimmer does not tell: since when things are as they are.
///
/// Kept with the latest readings, so that it survives a restart.
package struct TrackedSession: Hashable, Sendable {
    /// Since when the checks of one pull request say what they say.
    package struct Checks: Hashable, Sendable {
        package var url: String
        package var ci: String
        package var since: Timestamp
    }

    package var status: String
    /// The first reading that saw this status.
    package var statusSince: Timestamp
    /// The last whole reading before that one; nil when the session was first seen in this status, which may then be old.
    package var statusNotBefore: Timestamp?
    /// Of the pull requests, in their order.
    package var checks: [Checks]
    /// The last time a person acted, as last sent; nil while that cannot be read.
    package var sentTouchedAt: Timestamp?
    /// The same without what the bot's own writes moved.
    package var touchedAt: Timestamp?
    /// When the bot last wrote to the session.
    package var wroteAt: Timestamp?

    /// A time of activity this close to a write of ours is taken for ours.
    static let ownWriteReach = Duration.seconds(60)
}

extension TrackedSession {
    /// First sight.
    init(_ row: SessionRow, at now: Timestamp) {
        status = row.status
        statusSince = now
        checks = row.pullRequests.map { Checks(url: $0.url, ci: $0.ci, since: now) }
        if case .timestamp(let time) = row.touchedAt { sentTouchedAt = time }
        touchedAt = sentTouchedAt
    }

    /// The memory after a reading that saw `row`.
    func observing(_ row: SessionRow, at now: Timestamp, lastWholeReading: Timestamp?) -> TrackedSession {
        var next = self
        if !row.status.utf8.elementsEqual(status.utf8) {
            next.status = row.status
            next.statusSince = now
            next.statusNotBefore = lastWholeReading ?? statusSince
        }
        next.checks = row.pullRequests.map { pull in
            let same = checks.last {
                $0.url.utf8.elementsEqual(pull.url.utf8) && $0.ci.utf8.elementsEqual(pull.ci.utf8)
            }
            return same ?? Checks(url: pull.url, ci: pull.ci, since: now)
        }
        guard case .timestamp(let sent) = row.touchedAt, sent != sentTouchedAt else { return next }
        next.sentTouchedAt = sent
        let isOurs = wroteAt.map { Self.isClose(sent, to: $0) } ?? false
        if !isOurs || touchedAt == nil { next.touchedAt = sent }
        return next
    }

    private static func isClose(_ a: Timestamp, to b: Timestamp) -> Bool {
        let distance = a - b
        return distance <= ownWriteReach && distance >= .zero - ownWriteReach
    }
}

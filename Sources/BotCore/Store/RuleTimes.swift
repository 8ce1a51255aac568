import CEL
import Foundation
import Rules

/// The times of a rule, as the daemon leaves them for commands that look ahead without its rules file. Seconds.
struct RuleTimes: Hashable, Sendable, Codable {
    var name: String
    var schedule: String?
    var timeZone: String
    /// How much later than its slots it runs.
    var offset: Int64
    var holdFor: Int64
    var keep: Int64
    var every: Int64?
    var times: Int?

    init(_ prepared: PreparedRule) {
        let rule = prepared.rule
        name = rule.name
        schedule = rule.schedule?.text
        timeZone = rule.timeZone
        offset = prepared.offset.components.seconds
        holdFor = rule.holdFor.components.seconds
        keep = rule.keep.components.seconds
        every = rule.again?.every.components.seconds
        times = rule.again?.times
    }

    /// Whether these are times that a rules file can have, none longer than the calendar.
    var isSound: Bool {
        let longest: Int64 = 10_000 * 366 * 86_400
        return [offset, holdFor, keep, every ?? 0].allSatisfy { (0...longest).contains($0) }
    }

    /// Slots after `now` and up to `end`, with the jitter.
    func slots(after now: Timestamp, upTo end: Timestamp, atMost count: Int) -> [Timestamp] {
        guard let schedule, let cron = try? CronSchedule(parsing: schedule) else { return [] }
        var slots: [Timestamp] = []
        var time = now - .seconds(offset)
        while slots.count < count, let next = cron.next(after: time, in: timeZone), next + .seconds(offset) <= end {
            slots.append(next + .seconds(offset))
            time = next
        }
        return slots
    }
}

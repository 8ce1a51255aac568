package import CEL

/// When a `schedule:` rule runs: five cron fields, read as Vixie cron reads them.
///
/// A job with a fixed time (neither the minute nor the hour begins with `*`) runs once a day for each of its times: right
/// after a spring gap, in the first pass of an autumn overlap. Any other job follows real time: what the clock skips is
/// left out, what it repeats is repeated.
package struct CronSchedule: Sendable {
    /// What happens to slots that passed while the bot was down.
    package enum Missed: String, Sendable { case skip, once, all }

    /// As written, lower case and with single spaces: equal texts are equal schedules.
    package let text: String
    let fields: CronFields

    package init(parsing text: String) throws(CronError) {
        self.text = text.lowercased().split(separator: " ").joined(separator: " ")
        fields = try CronFields(parsing: text)
        guard CivilDays(fields).next(from: 0) != nil else {
            throw CronError("never matches: there is no such day", at: 0..<text.utf8.count)
        }
    }

    /// Both day fields are restricted, so a day that matches either one counts.
    package var matchesEitherDay: Bool { fields.matchesEitherDay }

    /// The first slot strictly after `time`; nil when there is none within 400 years, or before year 10000.
    package func next(after time: Timestamp, in zone: String) -> Timestamp? {
        let clock = LocalClock.named(zone)
        guard let start = Self.day(of: time, clock) else { return nil }
        let days = CivilDays(fields)
        // A local day may begin before the instant and end after that of the day that follows: look at both neighbours.
        var candidate = days.next(from: start - 1)
        while let day = candidate {
            let found = [day, day + 1].filter(days.matches).compactMap { slot(on: $0, after: time.seconds, clock) }
            if let first = found.min() { return Self.range.contains(first) ? Timestamp(seconds: first) : nil }
            guard day - start < CivilDays.cycle else { return nil }
            candidate = days.next(from: day + 1)
        }
        return nil
    }

    /// The last slot at or before `time`, found directly however long ago it was.
    package func latest(atOrBefore time: Timestamp, in zone: String) -> Timestamp? {
        let clock = LocalClock.named(zone)
        guard let start = Self.day(of: time, clock) else { return nil }
        let days = CivilDays(fields)
        var candidate = days.previous(from: start + 1)
        while let day = candidate {
            let found = [day, day - 1].filter(days.matches).compactMap { slot(on: $0, upTo: time.seconds, clock) }
            if let last = found.max() { return Timestamp(seconds: last) }
            guard start - day < CivilDays.cycle else { return nil }
            candidate = days.previous(from: day - 1)
        }
        return nil
    }

    /// CEL's range of timestamps, years 1 to 9999.
    private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private static func day(of time: Timestamp, _ clock: LocalClock) -> Int? {
        guard range.contains(time.seconds) else { return nil }
        return Int(clock.local(time.seconds).flooredQuotient(86_400))
    }

    private func slot(on day: Int, after instant: Int64, _ clock: LocalClock) -> Int64? {
        let start = Int64(day) * 86_400
        let localDay = LocalDay(Int64(day), clock: clock)
        if let offset = localDay.offset {
            return fields.times.first { start + $0 - offset > instant }.map { start + $0 - offset }
        }
        return instants(of: localDay, start).filter { $0 > instant }.min()
    }

    private func slot(on day: Int, upTo instant: Int64, _ clock: LocalClock) -> Int64? {
        let start = Int64(day) * 86_400
        let localDay = LocalDay(Int64(day), clock: clock)
        if let offset = localDay.offset {
            return fields.times.last { start + $0 - offset <= instant }.map { start + $0 - offset }
        }
        return instants(of: localDay, start).filter { $0 <= instant }.max()
    }

    private func instants(of day: LocalDay, _ start: Int64) -> [Int64] {
        if fields.isFixedTime { return fields.times.map { day.firstInstant(ofLocal: start + $0) } }
        return fields.times.flatMap { day.instants(ofLocal: start + $0) }
    }
}

/// Why a text is no schedule.
package struct CronError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String
    /// The part that is wrong, as UTF-8 offsets into the text.
    package var range: Range<Int>

    init(_ message: String, at range: Range<Int>) {
        self.message = message
        self.range = range
    }

    package var description: String { message }
}

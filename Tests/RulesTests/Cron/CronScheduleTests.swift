import CEL
import Testing

@testable import Rules

@Suite struct CronScheduleTests {
    @Test(arguments: [
        ("* * * *", 0, "five fields"),
        ("60 * * * *", 0, "0 to 59"),
        ("0 24 * * *", 2, "0 to 23"),
        ("0 9 32 * *", 4, "1 to 31"),
        ("0 9 * 13 *", 6, "jan to dec"),
        ("0 9 * * mon-foo", 12, "sun to sat"),
        ("*/0 * * * *", 2, "no step"),
        ("0 22-2 * * *", 2, "upwards"),
        ("0 9 * * 1#6", 10, "#1 to #5"),
        ("@reboot", 0, "@daily"),
        ("0 0 30 2 *", 0, "never matches"),
        ("0 0 31 4,6,9,11 *", 0, "never matches"),
        ("0 -5 * * *", 2, "no hour"),
        ("0 9,, * * *", 4, "no hour"),
        ("0 99999999999999999999 * * *", 2, "no hour"),
    ])
    func `says what is wrong, and where`(text: String, offset: Int, hint: String) {
        let error = #expect(throws: CronError.self) { try CronSchedule(parsing: text) }
        #expect(error?.range.lowerBound == offset)
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("0 9 LW * *", "2026-05-01T00:00:00Z", "2026-05-29T09:00:00Z"),
        ("0 9 15W * *", "2026-08-01T00:00:00Z", "2026-08-14T09:00:00Z"),
        ("0 9 1W * *", "2026-08-01T00:00:00Z", "2026-08-03T09:00:00Z"),
        ("0 9 * * 5L", "2026-01-01T00:00:00Z", "2026-01-30T09:00:00Z"),
        ("0 9 * * fri-sun", "2026-01-03T10:00:00Z", "2026-01-04T09:00:00Z"),
        ("0 9 * * FRI-7", "2026-01-04T10:00:00Z", "2026-01-09T09:00:00Z"),
        ("5/20 9 * * *", "2026-01-01T09:05:00Z", "2026-01-01T09:25:00Z"),
        ("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"),
    ])
    func `understands lists, names and extensions`(text: String, start: String, next: String) throws {
        #expect(try CronSchedule(parsing: text).next(after: instant(start), in: "UTC") == instant(next))
    }

    @Test func `a midnight that the clock skips runs right after it`() throws {
        // In Havana the clock goes from 24:00 to 01:00.
        let schedule = try CronSchedule(parsing: "30 0 * * *")
        let next = schedule.next(after: instant("2026-03-07T12:00:00Z"), in: "America/Havana")
        #expect(next == instant("2026-03-08T05:00:00Z"))
    }

    @Test func `an overlap across midnight keeps the order of real time`() throws {
        // In Havana 01:00 becomes 00:00 again.
        let schedule = try CronSchedule(parsing: "*/30 0 1 11 *")
        var time = instant("2026-10-31T00:00:00Z")
        var times: [Timestamp] = []
        for _ in 0..<4 {
            time = try #require(schedule.next(after: time, in: "America/Havana"))
            times.append(time)
        }
        #expect(
            times
                == ["2026-11-01T04:00:00Z", "2026-11-01T04:30:00Z", "2026-11-01T05:00:00Z", "2026-11-01T05:30:00Z"]
                .map(instant))
    }

    @Test func `times that meet in one instant run once`() throws {
        let schedule = try CronSchedule(parsing: "0,30 2,3 * * *")
        let first = try #require(schedule.next(after: instant("2026-03-08T07:00:00Z"), in: "America/Chicago"))
        #expect(first == instant("2026-03-08T08:00:00Z"))
        #expect(schedule.next(after: first, in: "America/Chicago") == instant("2026-03-08T08:30:00Z"))
    }

    @Test func `only both day fields without a star match either day`() throws {
        #expect(try CronSchedule(parsing: "0 0 13 * 5").matchesEitherDay)
        #expect(try !CronSchedule(parsing: "0 0 */2 * 1").matchesEitherDay)
        #expect(try !CronSchedule(parsing: "0 0 * * 1").matchesEitherDay)
    }

    @Test func `instants outside the calendar have no slots`() throws {
        let schedule = try CronSchedule(parsing: "* * * * *")
        #expect(schedule.next(after: Timestamp(seconds: .max), in: "UTC") == nil)
        #expect(schedule.latest(atOrBefore: Timestamp(seconds: .min), in: "UTC") == nil)
    }
}

@Suite struct MissedSlotTests {
    private func due(_ text: String, from: String, now: String, _ missed: CronSchedule.Missed) throws
        -> CronSchedule.Due
    {
        try CronSchedule(parsing: text).due(from: instant(from), now: instant(now), in: "UTC", missed: missed)
    }

    @Test func `nothing is due before its time`() throws {
        let due = try due("0 9 * * *", from: "2026-01-02T09:00:00Z", now: "2026-01-02T08:59:59Z", .all)
        #expect(due.slots.isEmpty && due.skipped.isEmpty)
        #expect(due.next == instant("2026-01-02T09:00:00Z"))
    }

    @Test(arguments: [CronSchedule.Missed.skip, .once, .all])
    func `a slot that has just come runs on time`(missed: CronSchedule.Missed) throws {
        let due = try due("0 9 * * *", from: "2026-01-02T09:00:00Z", now: "2026-01-02T09:00:20Z", missed)
        #expect(due.slots.map(\.time) == [instant("2026-01-02T09:00:00Z")])
        #expect(due.slots.map(\.missed) == [false])
        #expect(due.next == instant("2026-01-03T09:00:00Z"))
    }

    @Test func `skip leaves out what was missed`() throws {
        let due = try due("0 9 * * *", from: "2026-01-02T09:00:00Z", now: "2026-01-02T09:30:00Z", .skip)
        #expect(due.slots.isEmpty)
        #expect(due.skipped == [instant("2026-01-02T09:00:00Z")])
    }

    @Test(arguments: [
        ("0 9 * * *", "2026-01-04T14:59:00Z", true), ("0 9 * * *", "2026-01-04T15:00:00Z", false),
        ("0 * * * *", "2026-01-04T09:29:00Z", true), ("0 * * * *", "2026-01-04T09:31:00Z", false),
    ])
    func `once runs the latest while it is young`(text: String, now: String, runs: Bool) throws {
        let due = try due(text, from: "2026-01-02T09:00:00Z", now: now, .once)
        #expect(due.slots.map(\.time) == (runs ? [instant("2026-01-04T09:00:00Z")] : []))
        #expect(!due.slots.contains { !$0.missed })
        #expect(due.skipped.contains(instant("2026-01-04T09:00:00Z")) == !runs)
    }

    @Test func `all runs the latest 24, oldest first`() throws {
        let due = try due("0 * * * *", from: "2020-01-01T00:00:00Z", now: "2026-01-02T09:00:10Z", .all)
        #expect(due.slots.count == 24)
        #expect(due.slots.first?.time == instant("2026-01-01T10:00:00Z"))
        #expect(due.slots.last?.time == instant("2026-01-02T09:00:00Z"))
        #expect(due.slots.map(\.missed) == Array(repeating: true, count: 23) + [false])
        #expect(due.skipped == [instant("2026-01-01T09:00:00Z")])
    }

    @Test func `a slot carries its date in the rule's zone`() {
        let slot = Slot(time: instant("2026-01-05T04:00:00Z"), missed: false).value(in: "America/Chicago")
        guard case .string(let date) = slot["date"], case .string(let weekday) = slot["weekday"] else {
            Issue.record("a slot has a date and a weekday")
            return
        }
        #expect(date == "2026-01-04")
        #expect(weekday == "sunday")
    }
}

@Suite struct LocalMomentTests {
    @Test(arguments: [
        ("monday 09:00", "2026-10-12T14:00:00Z"), ("fri 9:00", "2026-10-16T14:00:00Z"),
        ("saturday 09:00", "2026-10-17T14:00:00Z"), ("tomorrow 07:30", "2026-10-11T12:30:00Z"),
        ("2026-11-02 09:00", "2026-11-02T15:00:00Z"),
    ])
    func `is the next such moment on the wall clock`(text: String, expected: String) throws {
        // A Saturday, 10:00 in Chicago.
        let now = instant("2026-10-10T15:00:00Z")
        #expect(try #require(LocalMoment(parsing: text)).next(after: now, in: "America/Chicago") == instant(expected))
    }

    @Test(arguments: ["", "monday", "someday 09:00", "monday 24:00", "2026-02-30 09:00", "tomorrow 9", "monday 09:0٣"])
    func `refuses anything else`(text: String) {
        #expect(LocalMoment(parsing: text) == nil)
    }
}

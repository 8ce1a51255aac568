import CEL

/// The runs that were started in the last 24 hours, counted as the limits ask for them: a decision costs what changed, not
/// what there is.
package struct Starts: Sendable {
    private static let hour: Duration = .seconds(3_600)
    private static let day: Duration = .seconds(86_400)

    /// Runs of `do` of a rule in the last hour.
    private var perHour: [String: Int] = [:]
    /// The same for one subject in the last 24 hours.
    private var perSubject: [RuleSubject: Int] = [:]
    /// What they take from `zimmer.limit`.
    package private(set) var spent: (hour: Int, day: Int) = (0, 0)
    /// In the order in which they were started.
    private var list: [Memory.Start] = []
    /// Where the last 24 hours, and the last hour, begin in `list`.
    private var (dayIndex, hourIndex) = (0, 0)
    private var now: Timestamp?

    package init(_ list: [Memory.Start] = []) {
        for start in list { append(start) }
    }

    /// Those of the last 24 hours, oldest first.
    package var all: ArraySlice<Memory.Start> { list[dayIndex...] }

    package func count(of rule: String) -> Int { perHour[rule] ?? 0 }

    package func count(of rule: String, for subject: SubjectID) -> Int {
        perSubject[RuleSubject(rule: rule, subject: subject)] ?? 0
    }

    package mutating func append(_ start: Memory.Start) {
        list.append(start)
        countHour(start, by: 1)
        countDay(start, by: 1)
    }

    /// Leaves out what is older than the limits look back.
    mutating func advance(to now: Timestamp) {
        // A clock that was put back makes an hour of what was older before.
        if let last = self.now, now < last { self = Starts(Array(all)) }
        self.now = now
        while hourIndex < list.count, list[hourIndex].at <= now - Self.hour {
            countHour(list[hourIndex], by: -1)
            hourIndex += 1
        }
        while dayIndex < hourIndex, list[dayIndex].at <= now - Self.day {
            countDay(list[dayIndex], by: -1)
            dayIndex += 1
        }
        if dayIndex > 1_000, dayIndex > list.count / 2 {
            list.removeFirst(dayIndex)
            (dayIndex, hourIndex) = (0, hourIndex - dayIndex)
        }
    }

    private mutating func countHour(_ start: Memory.Start, by step: Int) {
        spent.hour += start.cost * step
        if !start.part.isResolved { perHour.count(start.rule, by: step) }
    }

    private mutating func countDay(_ start: Memory.Start, by step: Int) {
        spent.day += start.cost * step
        guard !start.part.isResolved else { return }
        perSubject.count(RuleSubject(rule: start.rule, subject: start.subject), by: step)
    }
}

extension Dictionary where Value == Int {
    /// Leaves no zeros behind.
    fileprivate mutating func count(_ key: Key, by step: Int) {
        let count = self[key, default: 0] + step
        self[key] = count == 0 ? nil : count
    }
}

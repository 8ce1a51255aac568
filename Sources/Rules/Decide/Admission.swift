import CEL

/// Says which runs of one rule may start in this decision (docs/rules.md, "Limits").
struct Admission {
    enum Verdict {
        /// `isFolded`: beyond `per_poll` or `per_hour`, so its messages become one with those of the others.
        case start(once: String?, isFolded: Bool)
        case hold(Episode.Hold)
    }

    private let prepared: PreparedRule
    private let limit: ServerLimit
    private let waitsForPerson: Bool
    private let isUnsettled: Bool
    private let hourAgo: Timestamp
    private var startedNow: Int
    private var startedThisHour: Int
    private var perSubject: [SubjectID: Int] = [:]
    private var spent: (hour: Int, day: Int)

    /// - Parameter startedNow: runs that this decision started before.
    init(
        _ prepared: PreparedRule, limit: ServerLimit, own: RuleMemory, memory: Memory, startedNow: Int, now: Timestamp
    ) {
        self.prepared = prepared
        self.startedNow = startedNow
        self.limit = limit
        waitsForPerson = own.awaitsRelease
        isUnsettled = own.isNew
        hourAgo = now - .seconds(3_600)
        startedThisHour = 0
        spent = (0, 0)
        for start in memory.recent {
            let isRecent = start.at > hourAgo
            spent.day += start.cost
            if isRecent { spent.hour += start.cost }
            guard start.rule == prepared.name, !start.part.isResolved else { continue }
            perSubject[start.subject, default: 0] += 1
            if isRecent { startedThisHour += 1 }
        }
    }

    private var writes: Bool { prepared.cost.steps > 0 }
    private var bounds: Rule.Limit { prepared.rule.limit }

    mutating func judge(
        _ subject: SubjectID, once: Result<String?, EvaluationError>, _ memory: Memory
    ) -> Verdict {
        if writes, waitsForPerson { return .hold(.release) }
        if writes, isUnsettled { return .hold(.cannotTell) }
        let value: String?
        switch once {
        case .failure: return .hold(.cannotTell)
        case .success(let text): value = text
        }
        if let value, memory.once.contains(OnceKey(rule: prepared.name, subject: subject, value: value)) {
            return .hold(.once)
        }
        if perSubject[subject, default: 0] >= bounds.perSubjectPerDay { return .hold(.perSubject) }
        let isBeyondPoll = startedNow >= bounds.perPoll
        let isBeyondHour = startedThisHour >= bounds.perHour
        if writes {
            if isBeyondPoll { return .hold(.perPoll) }
            if isBeyondHour { return .hold(.perHour) }
            if spent.hour + prepared.cost.steps > limit.perHour || spent.day + prepared.cost.steps > limit.perDay {
                return .hold(.server)
            }
        }
        count(subject)
        return .start(once: value, isFolded: isBeyondPoll || isBeyondHour)
    }

    private mutating func count(_ subject: SubjectID) {
        startedNow += 1
        startedThisHour += 1
        perSubject[subject, default: 0] += 1
        spent.hour += prepared.cost.steps
        spent.day += prepared.cost.steps
    }
}

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
    private var startedNow: Int
    /// Of what only says what it would do, as nothing of that is remembered.
    private var previewed = 0

    /// - Parameter startedNow: runs that this decision started before.
    init(_ prepared: PreparedRule, limit: ServerLimit, own: RuleMemory, startedNow: Int) {
        self.prepared = prepared
        self.startedNow = startedNow
        self.limit = limit
        waitsForPerson = own.awaitsRelease
        isUnsettled = own.isNew
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
        let starts = memory.recent
        if starts.count(of: prepared.name, for: subject) >= bounds.perSubjectPerDay { return .hold(.perSubject) }
        let isBeyondPoll = startedNow >= bounds.perPoll
        let isBeyondHour = starts.count(of: prepared.name) + previewed >= bounds.perHour
        if writes {
            if isBeyondPoll { return .hold(.perPoll) }
            if isBeyondHour { return .hold(.perHour) }
            let cost = prepared.cost.steps * (previewed + 1)
            if starts.spent.hour + cost > limit.perHour || starts.spent.day + cost > limit.perDay {
                return .hold(.server)
            }
        }
        startedNow += 1
        if prepared.rule.mode != .live { previewed += 1 }
        return .start(once: value, isFolded: isBeyondPoll || isBeyondHour)
    }
}

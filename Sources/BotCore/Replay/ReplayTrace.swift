import AdapterKit
import CEL
import Rules

/// What the rules did in a replay.
struct ReplayTrace {
    /// Before that nothing is compared: the replay only comes into step.
    let from: Timestamp
    private(set) var firings: [Firing] = []
    /// What each said; few of them are shown, so that only those become text.
    private var said: [Int: [Message]] = [:]
    private(set) var counts: [String: ReplayReport.Counts] = [:]
    /// Runs of the past that would have waited for a person.
    private(set) var awaitedRelease: Set<Int> = []
    /// The last firing of each, which what is done later belongs to.
    private var latest: [Run: Int] = [:]
    /// Runs whose last look could only be guessed.
    private var assumed: Set<RuleSubject> = []
    /// When a guessed last look stopped a run.
    private var guessed: [RuleSubject: Timestamp] = [:]

    private struct Run: Hashable {
        var rule: String
        var subject: SubjectID?
        var episode: Int?
    }

    init(from: Timestamp) {
        self.from = from
    }

    /// A firing with what it said.
    func complete(_ index: Int) -> Firing {
        var firing = firings[index]
        firing.messages = (said[index] ?? []).map(\.line)
        return firing
    }

    mutating func noteRelease(_ past: Int) {
        awaitedRelease.insert(past)
    }

    mutating func noteWrite(_ request: String, of key: RunKey, at now: Timestamp) {
        guard now > from - .microseconds(1) else { return }
        let run = Run(rule: key.rule, subject: key.subject.ofRun, episode: key.episode)
        count(run) { $0.writes += 1 }
        if let index = latest[run] { firings[index].writes.append(request) }
    }

    /// - Parameters:
    ///   - assumed: runs that wrote, or did not, without a past that tells.
    ///   - title: of a session.
    mutating func note(_ happenings: [Happening], assumed: [RunKey], title: (SubjectID) -> String?) {
        for key in assumed { self.assumed.insert(RuleSubject(rule: key.rule, subject: key.subject)) }
        for happening in happenings { note(happening, title) }
    }

    private mutating func note(_ happening: Happening, _ title: (SubjectID) -> String?) {
        guard let rule = happening.rule, happening.at > from - .microseconds(1) else { return }
        let run = Run(rule: rule, subject: happening.subject?.ofRun, episode: happening.episode)
        switch happening.what {
        case .note(.started, let part):
            guard let subject = happening.subject else { return }
            latest[run] = firings.count
            count(run) { $0.firings += 1 }
            firings.append(
                Firing(
                    at: happening.at, rule: rule, subject: subject, title: title(subject),
                    part: Rules.Run.Part(word: part) ?? .steps, episode: happening.episode ?? 0))
        case .post(let message):
            count(run) { $0.messages += 1 }
            if let index = latest[run] { said[index, default: []].append(message) }
        case .write(let request):
            count(run) { $0.writes += 1 }
            if let index = latest[run] { firings[index].writes.append(request.description) }
        case .told(.withdrawn, _), .told(.gaveUp, _):
            guard let subject = happening.subject else { return }
            let identity = RuleSubject(rule: rule, subject: subject)
            if assumed.contains(identity) { guessed[identity] = happening.at }
        case .held, .told, .wish, .note: break
        }
    }

    private mutating func count(_ run: Run, _ change: (inout ReplayReport.Counts) -> Void) {
        change(&counts[run.rule, default: ReplayReport.Counts()])
    }

    /// Why it cannot be told whether something would have happened.
    func doubt(about firing: Firing) -> String? {
        guard let at = guessed[RuleSubject(rule: firing.rule, subject: firing.subject)], at < firing.at else {
            return nil
        }
        return "it hangs on a last look at \(at.wholeSeconds) that nobody took"
    }
}

extension SubjectID {
    /// As what a run did names it: slots have no name there.
    fileprivate var ofRun: SubjectID? { type == Slot.subjectType ? nil : self }
}

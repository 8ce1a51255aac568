import AdapterKit
import CEL
import Rules

/// What the rules did in a replay.
struct ReplayTrace {
    /// Before that nothing is compared: the replay only comes into step.
    let from: Timestamp
    /// Nor behind that.
    private let end: Timestamp
    private(set) var firings: [Firing] = []
    /// What each said; few of them are shown, so that only those become text.
    private var said: [Int: [Message]] = [:]
    /// The words of its writes.
    private var written: [Int: [String]] = [:]
    /// Firings that a guessed last look ended.
    private var cutShort: Set<Int> = []
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

    init(from: Timestamp, to end: Timestamp) {
        self.from = from
        self.end = end
    }

    func covers(_ time: Timestamp) -> Bool {
        time > from - .microseconds(1) && time <= end
    }

    func deeds(of index: Int) -> Deeds {
        Deeds(messages: said[index] ?? [], writes: written[index] ?? [])
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

    mutating func note(_ write: PastRun.Write?, of key: RunKey, at now: Timestamp) {
        guard covers(now) else { return }
        noteWrite(
            write?.name ?? "", write?.request ?? "",
            of: Run(rule: key.rule, subject: key.subject.ofRun, episode: key.episode))
    }

    private mutating func noteWrite(_ name: String, _ request: String, of run: Run) {
        count(run) { $0.writes += 1 }
        guard let index = latest[run] else { return }
        firings[index].writes.append(request)
        written[index, default: []].append(name)
    }

    /// - Parameters:
    ///   - assumed: runs that wrote, or did not, without a past that tells.
    ///   - title: of a session.
    mutating func note(_ happenings: [Happening], assumed: [RunKey], title: (SubjectID) -> String?) {
        for key in assumed { self.assumed.insert(RuleSubject(rule: key.rule, subject: key.subject)) }
        for happening in happenings { note(happening, title) }
    }

    private mutating func note(_ happening: Happening, _ title: (SubjectID) -> String?) {
        guard let rule = happening.rule, covers(happening.at) else { return }
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
        case .write(let request): noteWrite(request.name, request.description, of: run)
        case .told(.withdrawn, _), .told(.gaveUp, _):
            guard let subject = happening.subject else { return }
            let identity = RuleSubject(rule: rule, subject: subject)
            guard assumed.contains(identity) else { return }
            guessed[identity] = happening.at
            if let index = latest[run] { cutShort.insert(index) }
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
        return Self.doubt(at)
    }

    /// Why it cannot be told what it would have done.
    func doubtAboutDeeds(of index: Int) -> String? {
        let firing = firings[index]
        guard cutShort.contains(index), let at = guessed[RuleSubject(rule: firing.rule, subject: firing.subject)] else {
            return doubt(about: firing)
        }
        return Self.doubt(at)
    }

    private static func doubt(_ at: Timestamp) -> String {
        "it hangs on a last look at \(at.wholeSeconds) that nobody took"
    }
}

extension SubjectID {
    /// As what a run did names it: slots have no name there.
    fileprivate var ofRun: SubjectID? { type == Slot.subjectType ? nil : self }
}

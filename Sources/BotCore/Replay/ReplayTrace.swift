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
        var subject: SubjectID
        var episode: Int
        var part: Rules.Run.Part

        init(_ key: RunKey) {
            (rule, subject, episode, part) = (key.rule, key.subject, key.episode, key.part)
        }

        init(_ firing: Firing) {
            (rule, subject, episode, part) = (firing.rule, firing.subject, firing.episode, firing.part)
        }
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
        noteWrite(write?.name ?? "", write?.request ?? "", of: key)
    }

    private mutating func noteWrite(_ name: String, _ request: String, of key: RunKey) {
        count(key.rule) { $0.writes += 1 }
        guard let index = latest[Run(key)] else { return }
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
        let index = happening.run.flatMap { latest[Run($0)] }
        switch happening.what {
        case .note(.started, let part):
            guard let subject = happening.subject else { return }
            let firing = Firing(
                at: happening.at, rule: rule, subject: subject, title: title(subject),
                part: Rules.Run.Part(word: part) ?? .steps, episode: happening.episode ?? 0)
            latest[Run(firing)] = firings.count
            count(rule) { $0.firings += 1 }
            firings.append(firing)
        case .post(let message):
            count(rule) { $0.messages += 1 }
            if let index { said[index, default: []].append(message) }
        case .write(let request):
            if let key = happening.run { noteWrite(request.name, request.description, of: key) }
        case .told(.withdrawn, _), .told(.gaveUp, _):
            guard let subject = happening.subject else { return }
            let identity = RuleSubject(rule: rule, subject: subject)
            guard assumed.contains(identity) else { return }
            guessed[identity] = happening.at
            if let index { cutShort.insert(index) }
        case .held, .told, .wish, .note: break
        }
    }

    private mutating func count(_ rule: String, _ change: (inout ReplayReport.Counts) -> Void) {
        change(&counts[rule, default: ReplayReport.Counts()])
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

package import CEL
package import Rules

/// Plays one test: what its steps say is read, the bot decides, and what it did is compared with what was expected.
package struct ScenarioRun {
    /// One step whose expectations were compared.
    package struct Comparison: Sendable {
        package var step: ScenarioFile.Step
        package var at: Timestamp
        /// Listed, and did not happen.
        package var missing: [Expectation]
        /// Happened, and is not listed.
        package var unexpected: [Happening]

        package var isGood: Bool { missing.isEmpty && unexpected.isEmpty }
    }

    package struct Result: Sendable {
        package var test: ScenarioFile.Test
        package var comparisons: [Comparison]
        /// Everything that happened, in order.
        package var happenings: [Happening]

        package var hasPassed: Bool { comparisons.allSatisfy(\.isGood) }
    }

    private struct Reader {
        var name: String
        var interval: Duration
        var next: Timestamp
    }

    private let test: ScenarioFile.Test
    private var file: RuleFile
    private var stage: Stage
    private var rehearsal: Rehearsal
    private var readers: [Reader] = []
    /// The board is another one than the bot read last.
    private var hasNews = true
    /// Until when the bot is not there.
    private var absentUntil: Timestamp?
    /// What people asked for that the bot has not taken up yet.
    private var wishes: [ScenarioFile.Wish] = []

    private init(_ test: ScenarioFile.Test, rules file: RuleFile) {
        self.test = test
        let file = file.only(test.only)
        self.file = file
        stage = Stage(webURL: file.zimmer?.webURL ?? "https://zimmer.example.com", start: test.start)
        rehearsal = Rehearsal(file, start: test.start)
        startReaders(at: test.start)
    }

    package static func run(_ test: ScenarioFile.Test, rules: RuleFile) -> Result {
        var run = ScenarioRun(test, rules: rules)
        return run.run()
    }

    private mutating func run() -> Result {
        var result = Result(test: test, comparisons: [], happenings: [])
        var hasStarted = false
        for step in test.steps {
            let now = test.start + step.at
            if step.at > .zero, !hasStarted {
                start()
                hasStarted = true
            }
            pass(to: now)
            take(step, at: now)
            if !hasStarted {
                start()
                hasStarted = true
            }
            arrive(at: now)
            let happenings = rehearsal.takeHappenings()
            result.happenings += happenings
            guard let expected = step.expected else { continue }
            let match = ExpectationMatch(expected, happenings)
            result.comparisons.append(
                Comparison(step: step, at: now, missing: match.missing, unexpected: match.unexpected))
        }
        return result
    }

    // MARK: - Time

    private mutating func start() {
        tellChannels(at: test.start)
        poll(at: test.start)
        rehearsal.tick(at: test.start)
    }

    /// Goes on with what there is to be read, up to an instant; what happens at that very instant is left.
    private mutating func pass(to end: Timestamp) {
        if let back = absentUntil {
            guard back < end else { return }
            comeBack(at: back)
        }
        while let next = readers.map(\.next).min(), next < end { poll(at: next) }
        rehearsal.pass(to: end)
    }

    /// What happens at this very instant.
    private mutating func arrive(at now: Timestamp) {
        if let back = absentUntil {
            guard back <= now else { return }
            comeBack(at: back)
        }
        poll(at: now)
        rehearsal.advance(to: now)
    }

    private mutating func comeBack(at now: Timestamp) {
        absentUntil = nil
        rehearsal.restart(at: now)
        takeWishes(at: now)
        startReaders(at: now)
        tellChannels(at: now)
        poll(at: now)
        rehearsal.tick(at: now)
    }

    private mutating func take(_ step: ScenarioFile.Step, at now: Timestamp) {
        let touched = stage.take(step, at: now)
        rehearsal.costs = stage.costs
        rehearsal.fate = stage.fate
        rehearsal.unwatched = { [stage] in stage.listing($0, at: $1) }
        if touched.contains("board") { hasNews = true }
        if let reload = step.reload {
            file = reload.only(test.only)
            rehearsal.replace(with: file, at: now)
            let known = Dictionary(readers.map { ($0.name, $0.next) }) { first, _ in first }
            startReaders(at: now)
            for index in readers.indices { readers[index].next = known[readers[index].name] ?? now }
        }
        wishes += step.wishes
        if let down = step.restart { absentUntil = now + down }
        guard absentUntil == nil else { return }
        takeWishes(at: now)
        tellChannels(at: now)
        for index in readers.indices where touched.contains(readers[index].name) { readers[index].next = now }
    }

    private mutating func takeWishes(at now: Timestamp) {
        rehearsal.take(wishes, at: now)
        wishes = []
    }

    // MARK: - Readings

    /// Only what some rule needs is read, in the order in which rules depend on it.
    private mutating func startReaders(at now: Timestamp) {
        let polling = file.zimmer?.polling ?? ZimmerSettings.Polling()
        let needed = RuleSet(file.rules).readers
        let order: [Assembly.ReaderName] = [
            .health, .costs, .board, .inbox, .triggers, .elicitations, .backlog, .clis,
        ]
        readers = order.filter(needed.contains).map {
            Reader(name: $0.rawValue, interval: polling.interval(of: $0), next: now)
        }
    }

    private mutating func poll(at now: Timestamp) {
        for index in readers.indices where readers[index].next <= now {
            readers[index].next = now + readers[index].interval
            read(readers[index].name, at: now)
        }
    }

    private mutating func read(_ reader: String, at now: Timestamp) {
        if reader == "costs" { return rehearsal.pollCosts(at: now) }
        if let failure = stage.failure(of: reader) { return rehearsal.fail(reader, failure, at: now) }
        if reader == "health" { return rehearsal.take(stage.health(at: now), at: now) }
        if let kind = ListingKind.allCases.first(where: { $0.reader.rawValue == reader }) {
            return rehearsal.take(stage.listing(kind, at: now), at: now)
        }
        if hasNews {
            for (id, tracked) in stage.remembered(over: { rehearsal.tracker.sessions[$0] }, at: now) {
                rehearsal.remember(tracked, of: id)
            }
            hasNews = false
        }
        let board = stage.board
        rehearsal.take(board.rows, departed: board.departed, at: now)
    }

    private mutating func tellChannels(at now: Timestamp) {
        rehearsal.take(stage.channels(file.channels.map(\.name), at: now), at: now)
    }
}

extension RuleFile {
    /// Without the rules that take no part.
    fileprivate func only(_ names: Set<String>?) -> RuleFile {
        guard let names else { return self }
        var file = self
        file.rules.removeAll { !names.contains($0.name) }
        return file
    }
}

extension Rehearsal {
    fileprivate init(_ file: RuleFile, start: Timestamp) {
        self.init(
            RuleSet(file.rules, limit: file.zimmer?.limit ?? ServerLimit()), delivery: DeliveryRules(file),
            polling: file.zimmer?.polling ?? ZimmerSettings.Polling(), start: start)
        lookForNotices(file.notices)
    }

    fileprivate mutating func replace(with file: RuleFile, at now: Timestamp) {
        replace(
            RuleSet(file.rules, limit: file.zimmer?.limit ?? ServerLimit()), delivery: DeliveryRules(file),
            polling: file.zimmer?.polling ?? ZimmerSettings.Polling(), at: now)
        lookForNotices(file.notices)
    }
}

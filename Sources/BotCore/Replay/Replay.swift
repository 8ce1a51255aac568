import AdapterKit
package import CEL
package import Rules

// Start here for `replay`.
//
// What was read is recorded with every decision (`HistoryRecorder`). A `Recording` gives it out again; a `Rehearsal`
// decides on it under the rules of a file, as they are now; what those would have started is compared with what was
// started (`Counterparts`). What became of a write is taken from the past where it was made there too.

/// Rules played over recorded polls.
package struct Replay {
    package struct Span: Sendable {
        package var since: Timestamp
        package var until: Timestamp

        package init(since: Timestamp, until: Timestamp) {
            self.since = since
            self.until = until
        }
    }

    private let recording: Recording
    private let rules: RuleSet
    private let span: Span
    private let beginning: Beginning
    private var past: [PastRun]
    private let counterparts: Counterparts
    private var rehearsal: Rehearsal
    private var trace: ReplayTrace
    /// How many runs of the past the replay has come by.
    private var passed = 0
    private var lastEntry: Timestamp?
    private var local = LocalSpan()
    private var polls = 0
    /// Kinds of readings that were recorded, by the word of `watch:`.
    private var seen: Set<String> = ["zimmer", "channel"]

    /// - Throws: `ReplayError`, `DatabaseError`.
    package init(_ file: RuleFile, over recording: Recording, _ span: Span) throws {
        self.recording = recording
        self.span = span
        rules = RuleSet(file.rules, limit: file.zimmer?.limit ?? ServerLimit())
        let polling = file.zimmer?.polling ?? ZimmerSettings.Polling()
        beginning = try recording.beginning(before: span.since)
        let start = beginning.start
        past = try PastStore(recording.database).runs(
            from: min(start.at, beginning.after) - Self.longestRun, to: span.until)
        counterparts = Counterparts(past, tolerance: max(polling.board * 2, .seconds(60)))
        rehearsal = Rehearsal(rules, delivery: DeliveryRules(file), polling: polling, start: start.at)
        rehearsal.begin(remembering: try recording.memory(at: beginning), knowing: [], at: start.at)
        trace = ReplayTrace(from: max(span.since, beginning.at), to: span.until)
    }

    /// A run that began so long ago may still go on: it waits, or for a last look.
    private static let longestRun: Duration = .seconds(14 * 86_400)

    /// - Parameter progress: told how far it is, from 0 to 1.
    package mutating func run(progress: (Double) -> Void = { _ in }) throws -> ReplayReport {
        try recording.entries(from: beginning.start, progress: progress) { row, entry in
            // Rows before it have dates by another clock.
            if row >= beginning.row {
                guard entry.at <= span.until else {
                    local.end(with: entry)
                    return false
                }
                pass(to: entry.at)
                lastEntry = entry.at
            }
            play(entry)
            return true
        }
        return try report()
    }

    private mutating func play(_ entry: HistoryEntry) {
        let (counterparts, rules) = (counterparts, rules)
        var assumed: [RunKey] = []
        func isFollowed(_ run: Run) -> Bool {
            let isKnown = counterparts.past(of: run).map { $0.tells(of: run, rules) } ?? false
            if !isKnown { assumed.append(run.key) }
            return isKnown
        }
        switch entry {
        case .state(let now, let held): rehearsal.know(held, at: now)
        case .decision(let decision):
            note(decision)
            rehearsal.decide(decision, isFollowed: isFollowed)
        case .act(let act, let now):
            let key = act.run.flatMap { counterparts.key(of: $0, among: rehearsal.memory.runs.values) }
            if let key, case .concluded(let there, let outcome) = act, outcome.isWrite {
                let written = past.first { $0.key == there }?.write(at: rehearsal.memory.runs[key]?.step)
                trace.note(written, of: key, at: now)
            }
            rehearsal.take(act, to: key, at: now, isFollowed: isFollowed)
        }
        trace.note(rehearsal.takeHappenings(), assumed: assumed) { rehearsal.title(of: $0) }
    }

    private mutating func note(_ decision: RecordedDecision) {
        local.note(decision, from: trace.covers(decision.now) ? trace.from : nil)
        for item in decision.intake {
            switch item {
            case .board:
                seen.insert("session")
                if trace.covers(decision.now) { polls += 1 }
            case .health: seen.insert("health")
            case .listing(let reading, _): seen.insert(reading.kind.rawValue)
            case .costs: seen.insert("costs")
            case .failed, .failedCosts, .standing, .channels: break
            }
        }
    }

    /// Notes of the runs of the past what can only be told when they happened.
    private mutating func pass(to now: Timestamp) {
        while passed < past.count, past[passed].startedAt <= now {
            let key = past[passed].key
            past[passed].title = rehearsal.title(of: key.subject)
            if rehearsal.memory.rules[key.rule]?.awaitsRelease == true { trace.noteRelease(passed) }
            passed += 1
        }
    }

    // MARK: - What differs

    private func report() throws -> ReplayReport {
        let end = min(span.until, lastEntry ?? span.until)
        var report = ReplayReport(from: trace.from, to: end)
        report.polls = polls
        let then = Set(past.indices.filter { isPlayed(past[$0], until: end) })
        let pairs = counterparts.pairs(trace.firings, then)
        try compare(pairs, until: end, &report)
        for index in trace.firings.indices where pairs[index] == nil && trace.firings[index].at <= end {
            let firing = trace.complete(index)
            report.add(firing, hasHappened: false, unclear: trace.doubt(about: firing) ?? lastLook(before: firing))
        }
        for index in then.subtracting(pairs.values).sorted() {
            let firing = past[index].firing(saying: try messages(of: past[index]))
            let release = trace.awaitedRelease.contains(index) ? "a person would have had to release the rule" : nil
            report.add(
                firing, hasHappened: true, unclear: release ?? trace.doubt(about: firing) ?? lastLook(before: firing))
        }
        for run in past where run.startedAt >= span.since && run.startedAt <= beginning.after {
            report.add(run.firing, hasHappened: true, unclear: "it was before the recording begins")
        }
        report.added.sort { $0.at < $1.at }
        report.removed.sort { $0.at < $1.at }
        report.notReplayable.sort { $0.firing.at < $1.firing.at }
        report.rules = try counts(then)
        report.notes = notes
        return report
    }

    /// What runs did that were started then and here.
    private func compare(_ pairs: [Int: Int], until end: Timestamp, _ report: inout ReplayReport) throws {
        let forgotten = (try recording.lastDecision() ?? end) - Housekeeping.trail
        for (index, position) in pairs.sorted(by: { $0.key < $1.key }) {
            let (here, run) = (trace.firings[index], past[position])
            let isForgotten = run.startedAt + local.offset < forgotten
            let messages = isForgotten ? nil : try messages(of: run)
            let then = Deeds(messages: messages, writes: run.written(by: end))
            // A text hangs on the time, and may hang on what was answered to a write, which is not recorded.
            let comparesTexts = (here.at - run.startedAt).isNone && run.writes.isEmpty
            if trace.deeds(of: index).isSame(as: then, comparesTexts: comparesTexts) {
                report.unchanged += 1
                report.unchangedByRule[here.rule, default: 0] += 1
            } else if let reason = trace.doubtAboutDeeds(of: index) {
                report.add(trace.complete(index), hasHappened: true, unclear: reason)
            } else {
                report.changed.append(.init(then: run.firing(saying: messages ?? []), now: trace.complete(index)))
            }
        }
    }

    private func messages(of run: PastRun) throws -> [Message] {
        try PastStore(recording.database).messages(of: run, before: local.end)
    }

    private func isPlayed(_ run: PastRun, until end: Timestamp) -> Bool {
        run.startedAt > beginning.after && run.startedAt > trace.from - .microseconds(1) && run.startedAt <= end
    }

    /// A run that was withdrawn counts as not run, so that another may follow.
    private func lastLook(before firing: Firing) -> String? {
        guard let run = counterparts.last(before: firing), run.isWithdrawn else { return nil }
        return "it hangs on the last look of the run at \(run.startedAt.wholeSeconds)"
    }

    private func counts(_ then: Set<Int>) throws -> [ReplayReport.RuleCounts] {
        var counts: [String: ReplayReport.RuleCounts] = [:]
        func count(_ rule: String, _ change: (inout ReplayReport.RuleCounts) -> Void) {
            change(&counts[rule, default: ReplayReport.RuleCounts(rule: rule)])
        }
        for prepared in rules.rules { count(prepared.name) { _ in } }
        for index in then {
            count(past[index].key.rule) {
                $0.then.firings += 1
                $0.then.writes += past[index].writes.values.count(where: \.isDone)
            }
        }
        if let from = local.start {
            let store = PastStore(recording.database)
            for (rule, number) in try store.messageCounts(from: from, before: local.end) {
                count(rule) { $0.then.messages += number }
            }
        }
        for (rule, numbers) in trace.counts { count(rule) { $0.now = numbers } }
        return counts.values.sorted { $0.rule < $1.rule }
    }

    /// Rules about something that nobody read then, or that would have asked somebody.
    private var notes: [String] {
        let asking = rules.rules.filter { prepared in
            prepared.rule.mode == .live
                && (prepared.rule.steps + prepared.rule.resolved).contains { $0.confirmation != nil }
        }
        return unread + asking.map { "rule \($0.name): what it asks with 'confirm' counts as not answered" }
    }

    private var unread: [String] {
        rules.rules.compactMap { prepared in
            guard prepared.rule.mode != .off, let word = prepared.watchable?.name, !seen.contains(word) else {
                return nil
            }
            return "rule \(prepared.name): 'watch: \(word)' cannot be replayed, as no reading of it was recorded"
        }
    }
}

extension ReplayReport {
    fileprivate mutating func add(_ firing: Firing, hasHappened: Bool, unclear reason: String?) {
        if let reason {
            notReplayable.append(Unclear(firing: firing, hasHappened: hasHappened, reason: reason))
        } else if hasHappened {
            removed.append(firing)
        } else {
            added.append(firing)
        }
    }
}

extension Duration {
    /// The store keeps microseconds.
    fileprivate var isNone: Bool { self < .microseconds(1) && self > .microseconds(-1) }
}

extension PastRun {
    fileprivate func firing(saying messages: [Message]) -> Firing {
        var firing = firing
        firing.messages = messages.map(\.line)
        return firing
    }

    /// Whether it tells what became of a run here at the write where that stands.
    fileprivate func tells(of run: Run, _ rules: RuleSet) -> Bool {
        guard let write = rules.rule(run.key.rule)?.write(of: run) else { return false }
        if let call = writes[run.step] { return call.name == write.name }
        return step == run.step && state != "done"
    }

    fileprivate func write(at step: Int?) -> Write? {
        step.flatMap { writes[$0] }
    }
}

extension HistoryEntry {
    var at: Timestamp {
        switch self {
        case .state(let at, _), .act(_, let at): at
        case .decision(let decision): decision.now
        }
    }
}

extension RecordedAct {
    /// The run that it is about.
    fileprivate var run: RunKey? {
        switch self {
        case .attempted(let key), .concluded(let key, _), .withheld(let key, _, _), .skipped(let key, _): key
        case .steered, .acknowledged: nil
        }
    }
}

extension Attempt.Outcome {
    /// The call had an effect, or may have had one.
    fileprivate var isWrite: Bool {
        switch self {
        case .done, .unknown: true
        case .refused, .retry, .unsettled: false
        }
    }
}

extension Rehearsal {
    /// The title of a session as it was read last.
    fileprivate func title(of subject: SubjectID) -> String? {
        guard subject.type == "session", let id = Int64(subject.id), let object = observation.sessions[id],
            case .string(let title) = object.slots[SessionField.title.slot]
        else { return nil }
        return title
    }
}

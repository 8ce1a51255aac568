import CEL
import Rules

// What the bot has reason to say about itself; `NoticeBook` decides what of it is said, and how often.
extension Ledger {
    /// Readers that take more of their time than they should.
    private func readerCauses(_ patience: Duration, now: Timestamp) -> [NoticeBook.Cause] {
        readers.sorted { $0.key < $1.key }.compactMap { name, state in
            guard let since = state.stretchedSince, now - since >= patience else { return nil }
            return NoticeBook.Cause(
                id: "slow:\(name)",
                text: "Reading '\(name)' takes more than a quarter of its interval, so it is read less often")
        }
    }

    /// What the rules' memory and the readers give reason to say.
    func noticeCauses(_ memory: Memory, now: Timestamp) -> [NoticeBook.Cause] {
        let patience = noticeSettings?.cannotTellAfter ?? NoticeSettings(channels: []).cannotTellAfter
        let known = features.lacking.map(\.sentence)
        // What is missing is said once, rule by rule it would be said again.
        let causes = rules.noticeCauses(memory, patience: patience, now: now).filter { cause in
            !known.contains(where: cause.text.hasSuffix)
        }
        return causes + readerCauses(patience, now: now) + featureCauses() + rowCauses()
            + catalogCauses + credentials.causes(now: clock.now())
    }
}

extension RuleSet {
    /// What the rules' memory gives reason to say.
    func noticeCauses(_ memory: Memory, patience: Duration, now: Timestamp) -> [NoticeBook.Cause] {
        var causes: [NoticeBook.Cause] = []
        var unreadable: [String: NoticeBook.Cause] = [:]
        for prepared in rules where prepared.rule.mode == .live {
            guard let own = memory.rules[prepared.name] else { continue }
            causes += own.noticeCauses(rule: prepared.name, patience: patience, now: now)
            guard let failed = own.unreadable, now - failed.since >= patience else { continue }
            // One reading that fails keeps many rules from deciding: that is one cause.
            let object = prepared.watchable?.name ?? prepared.name
            var cause =
                unreadable[object]
                ?? NoticeBook.Cause(
                    id: "unreadable:\(object)", text: "Nothing can be decided about '\(object)': \(failed.reason)")
            cause.subjects.append("rule \(prepared.name)")
            unreadable[object] = cause
        }
        causes += breakerCauses(memory)
        return causes + unreadable.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Subjects that a rule leaves alone because it ran there too often in a day: rules that fight each other, most likely,
    /// so all that ran there are named.
    private func breakerCauses(_ memory: Memory) -> [NoticeBook.Cause] {
        var stopped: [SubjectID: [String]] = [:]
        for (rule, own) in memory.rules {
            for (subject, episode) in own.episodes where episode.hold == .perSubject {
                stopped[subject, default: []].append(rule)
            }
        }
        return stopped.sorted { $0.key < $1.key }.map { subject, names in
            let counts = rules.map { ($0.name, memory.recent.count(of: $0.name, for: subject)) }
                .filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }
            return NoticeBook.Cause(
                id: "breaker:\(subject)",
                text:
                    "\(names.sorted().joined(separator: ", ")): too many runs for \(subject) in a day, so it is left alone"
                    + " (limit per_subject_per_day). Runs there in 24 hours: \(counts.joined(separator: ", "))")
        }
    }
}

extension RuleMemory {
    fileprivate func noticeCauses(rule: String, patience: Duration, now: Timestamp) -> [NoticeBook.Cause] {
        var causes: [NoticeBook.Cause] = []
        let lasting = untold.filter { now - $0.value.since >= patience }
        if let first = lasting.min(by: { $0.key < $1.key }) {
            causes.append(
                NoticeBook.Cause(
                    id: "cannot_tell:\(rule)", text: "Rule \(rule) cannot tell: \(first.value.reason)",
                    ids: Array(lasting.keys)))
        }
        if awaitsRelease {
            let held = episodes.filter { $0.value.phase != .baseline }.map(\.key)
            causes.append(
                NoticeBook.Cause(
                    id: "release:\(rule)",
                    text: "Rule \(rule) is new and matches much at once; it writes nothing until"
                        + " 'zimmer-bot release \(rule)'", ids: held))
        }
        for hold in [Episode.Hold.perHour, .server] {
            let held = episodes.filter { $0.value.hold == hold }.map(\.key)
            guard !held.isEmpty else { continue }
            causes.append(
                NoticeBook.Cause(
                    id: "held:\(rule):\(hold.rawValue)", text: "Rule \(rule) is held by its limit \(hold.rawValue)",
                    ids: held))
        }
        return causes
    }
}

extension Decision {
    var missedSlots: [NoticeBook.Cause] {
        let slots = Dictionary(grouping: events.filter { $0.kind == .missed }, by: \.rule)
        return slots.sorted { $0.key < $1.key }.map { rule, events in
            let times = events.compactMap { $0.subject?.id }
            let detail = events.last?.detail ?? ""
            return NoticeBook.Cause(
                id: "missed:\(rule)", text: "Rule \(rule) missed its slot of \(times.last ?? ""): \(detail)",
                subjects: times.count > 1 ? times : [], isEvent: true)
        }
    }
}

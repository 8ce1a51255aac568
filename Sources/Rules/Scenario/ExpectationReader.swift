import CEL

/// Reads what is to happen in a step.
struct ExpectationReader {
    let report: DiagnosticCollector
    let words: ScenarioWords
    let rules: RuleFile?

    /// What can be said of a message, beside the words of `textual` with `_contains`.
    private static let postKeys = ["text", "title", "urgency", "kind"]
    private static let outcomes = ["held"] + Telling.allCases.map(\.rawValue)
    /// What is text, so that a part of it can be asked for.
    private static let textual: Set<String> = ["text", "title", "prompt", "goal", "message", "reason"]
    /// `limit` stands for each of the limits.
    private static let holds = [
        "limit", "per_poll", "per_hour", "per_subject_per_day", "zimmer.limit", "release", "once", "cannot_tell",
        "last_look", "pause", "confirm", "group", "quiet", "suppress",
    ]
    private static let kinds = ["firing", "repeat", "resolved", "report", "digest"]

    /// The values of each write that can be asked for.
    private static let writeKeys: [String: [String]] = [
        "follow_up": ["prompt", "goal"], "snooze": ["until", "for"], "note": ["text"], "log": ["text", "level"],
        "favorite": ["value"], "model": ["value"], "push": ["message"], "trigger": ["enabled"], "answer": ["value"],
        "heartbeat": Language.heartbeat.known, "enter_recovery": ["reason", "ttl"], "set": Language.set.known,
        "start": Language.start.known.filter { !$0.hasPrefix("catalog_") && $0 != "mcp_servers" },
        "invoke": Language.triggerVariables.known,
    ]

    init(_ report: DiagnosticCollector, words: ScenarioWords, rules: RuleFile?) {
        self.report = report
        self.words = words
        self.rules = rules
    }

    func expectations(_ entry: YAMLEntry) -> [Expectation] {
        guard case .sequence(let nodes) = entry.value.content else {
            if case .unreadable = entry.value.content { return [] }
            report.error(
                "'expect' is a list, '[]' where nothing is to happen", at: entry.value.range.prefix(1))
            return []
        }
        return nodes.compactMap(expectation)
    }

    private func expectation(_ node: YAMLNode) -> Expectation? {
        let written: [String]
        if case .mapping(let entries) = node.content { written = entries.map(\.key) } else { written = [] }
        let actions = ["post"] + Language.writes + Self.outcomes
        var chosen = written.filter(actions.contains)
        // A step, and also what a message is about.
        if chosen.count > 1 { chosen.removeAll { $0 == "trigger" } }
        let known = keys(with: chosen)
        guard let fields = Fields(node, of: "an expectation", known, report) else { return nil }
        guard let word = chosen.first, let entry = fields[word] else {
            let all = actions.joined(separator: ", ")
            report.missing("an expectation says what is to happen: one of \(all)", at: fields.range.prefix(1))
            return nil
        }
        if chosen.count > 1, let second = fields[chosen[1]] {
            report.error("an expectation is about one thing: '\(word)' stands here already", at: second.keyRange)
        }
        let rule = fields["rule"].flatMap { entry -> String? in
            guard let name = report.word(entry, "the name of a rule") else { return nil }
            report.check(name, of: entry, in: rules)
            return name
        }
        guard let what = what(word, entry) else { return nil }
        let source = report.source.text(node.range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return Expectation(
            position: report.source.position(at: node.range.lowerBound), source: source, rule: rule,
            subject: Language.writes.contains(word) ? nil : report.subject(fields, words), what: what,
            details: details(fields, of: word),
            count: fields["count"].flatMap { report.integer($0, in: 1...1_000) } ?? 1)
    }

    /// The keys that go with what is chosen; a second choice is not called unknown.
    private func keys(with chosen: [String]) -> Language.Keys {
        var keys = ["rule", "count"] + chosen.dropFirst()
        switch chosen.first {
        case nil: keys += ["post"] + Language.writes + Self.outcomes + words.collections
        case "post"?: keys += ["post"] + Self.postKeys + words.collections
        case let word? where Self.outcomes.contains(word): keys += [word] + words.collections
        case let word?: keys += [word] + (Self.writeKeys[word] ?? [])
        }
        return Language.Keys(known: keys + keys.filter(Self.textual.contains).map { $0 + "_contains" })
    }

    private func what(_ word: String, _ entry: YAMLEntry) -> Expectation.What? {
        switch word {
        case "post":
            guard let channel = report.word(entry, "the name of a channel") else { return nil }
            check(channel, entry)
            return .post(channel)
        case "held": return report.choice(entry, Self.holds).map { .held($0) }
        default:
            if let telling = Telling(rawValue: word) {
                return report.text(entry, telling.hint).map { .told(telling, $0) }
            }
            if Addressee(step: word) == .zimmer {
                return report.choice(entry, ["true"]).map { _ in .write(word, id: nil) }
            }
            return report.integer(entry, in: 1 ... .max).map { .write(word, id: Int64($0)) }
        }
    }

    private func check(_ channel: String, _ entry: YAMLEntry) {
        guard let rules, rules.channel(channel) == nil else { return }
        report.error(
            "there is no channel '\(channel)'", at: entry.value.range,
            suggestion: NearMiss.best(of: rules.channels.map(\.name), for: channel))
    }

    // MARK: - Details

    private func details(_ fields: Fields, of word: String) -> [Expectation.Detail] {
        let names = (word == "post" ? Self.postKeys : Self.writeKeys[word] ?? []).filter { $0 != word }
        return names.flatMap { name -> [Expectation.Detail] in
            let whole = fields[name].flatMap { value($0, name) }.map {
                Expectation.Detail(name: name, value: $0, isPart: false)
            }
            let part = fields[name + "_contains"].flatMap { report.text($0) }.map {
                Expectation.Detail(name: name, value: .string($0), isPart: true)
            }
            return [whole, part].compactMap { $0 }
        }
    }

    private func value(_ entry: YAMLEntry, _ name: String) -> Value? {
        switch name {
        case "urgency": report.choice(entry, Language.urgencies).map(Value.string)
        case "kind": report.choice(entry, Self.kinds).map(Value.string)
        case "level": report.choice(entry, Language.logLevels).map(Value.string)
        case "until": report.instant(entry).map(Value.timestamp)
        case "for": report.duration(entry).map(Value.duration)
        case "value": Constants.value(entry, report)?.1
        case "enabled", "is_autonomous": report.boolean(entry).map(Value.bool)
        case "precedence", "parent_session_id": report.integer(entry, in: .min ... .max).map { .int(Int64($0)) }
        case "interval", "ttl": report.duration(entry).map(Value.duration)
        default: report.text(entry).map(Value.string)
        }
    }
}

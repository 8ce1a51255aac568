import CEL

extension RuleLoader {
    /// `defaults:`.
    struct Defaults {
        /// Nil where the file names none; rules then live in UTC.
        var timeZone: String?
        var mode: Rule.Mode = .live
        var limit = Rule.Limit()
        var existing: Rule.Existing = .run
        var quiet: QuietHours?
        var urgency: Post.Urgency = .normal

        init() {}

        init(_ entry: YAMLEntry, _ report: DiagnosticCollector) {
            guard let fields = Fields(entry.value, of: "'defaults'", Language.defaults, report) else { return }
            timeZone = fields["timezone"].flatMap(report.zone)
            let mode = fields["mode"].flatMap { report.choice($0, ["live", "dry_run", "off"]) }
            self.mode = mode.flatMap(Rule.Mode.init) ?? .live
            if let entry = fields["limit"] { limit = report.limit(entry, over: limit) }
            let existing = fields["existing"].flatMap { report.choice($0, ["run", "skip"]) }
            self.existing = existing.flatMap(Rule.Existing.init) ?? .run
            quiet = fields["quiet"].flatMap { report.quietHours($0, in: timeZone ?? "UTC") }
            let urgency = fields["urgency"].flatMap { report.choice($0, Language.urgencies) }
            self.urgency = urgency.flatMap(Post.Urgency.init) ?? .normal
        }
    }
}

extension DiagnosticCollector {
    func zone(_ entry: YAMLEntry) -> String? {
        guard let name = word(entry, "a time zone such as America/Chicago") else { return nil }
        if LocalClock.isZone(name) { return name }
        error(
            "there is no time zone '\(name)'", at: entry.value.range,
            suggestion: NearMiss.best(of: LocalClock.knownIdentifiers, for: name))
        return nil
    }

    func limit(_ entry: YAMLEntry, over defaults: Rule.Limit) -> Rule.Limit {
        var limit = defaults
        guard let fields = Fields(entry.value, of: "'limit'", Language.limit, self) else { return limit }
        let numbers: [(String, WritableKeyPath<Rule.Limit, Int>)] = [
            ("per_poll", \.perPoll), ("per_hour", \.perHour), ("per_subject_per_day", \.perSubjectPerDay),
        ]
        for (name, path) in numbers {
            if let number = fields[name].flatMap({ integer($0, in: 1...Int.max) }) { limit[keyPath: path] = number }
        }
        return limit
    }

    /// One window or several.
    func quietHours(_ entry: YAMLEntry, in zone: String) -> QuietHours? {
        let what = "times of the week such as \"22:00-07:00\" or \"sat-sun 00:00-24:00\""
        guard let windows = elements(entry) else { return nil }
        if windows.isEmpty { error("'\(entry.key)' takes \(what)", at: entry.value.range.prefix(1)) }
        let texts = windows.compactMap { window -> String? in
            guard let text = text(window, what) else { return nil }
            guard WeekWindow(parsing: text) != nil else {
                error("'\(entry.key)' takes \(what), not '\(text)'", at: window.value.range)
                return nil
            }
            return text
        }
        guard !texts.isEmpty, texts.count == windows.count, let hours = QuietHours(texts, timeZone: zone) else {
            return nil
        }
        guard !hours.isEndless else {
            error("'\(entry.key)' leaves no time at which a message could go", at: entry.value.range)
            return nil
        }
        return hours
    }

    /// A word or a duration, or both window and agent root.
    func costsWindow(_ entry: YAMLEntry) -> CostsWindow? {
        guard case .mapping = entry.value.content else { return span(entry).map { CostsWindow($0) } }
        guard let fields = Fields(entry.value, of: "'costs'", Language.costs, self) else { return nil }
        let root = fields["agent_root"].flatMap { text($0) }
        return fields.required("window", ": today, yesterday, week, month or a duration").flatMap(span)
            .map { CostsWindow($0, agentRoot: root) }
    }

    private func span(_ entry: YAMLEntry) -> CostsWindow.Span? {
        let words = "today, yesterday, week, month or a duration such as 7d"
        switch word(entry, words) {
        case nil: return nil
        case "today": return .today
        case "yesterday": return .yesterday
        case "week": return .week
        case "month": return .month
        case let text?:
            if let back = Duration(ruleText: text), back > .zero { return .back(back) }
            error(
                "'\(entry.key)' takes \(words), not '\(text)'", at: entry.value.range,
                suggestion: NearMiss.best(of: ["today", "yesterday", "week", "month"], for: text))
            return nil
        }
    }
}

import CEL

extension StepLoader {
    // MARK: - Messages

    func post(_ entry: YAMLEntry, _ other: (String) -> YAMLEntry?) -> Post? {
        let target = target(entry)
        let title = other("title").map { expressions.template($0) }
        let urgency = other("urgency").flatMap { report.choice($0, Language.urgencies) }
        let thread = other("thread").flatMap(self.thread)
        let updates = other("update").flatMap(report.boolean)
        let mentions = other("mention").flatMap(report.boolean)
        let chart = other("chart").flatMap(self.chart)
        guard let textEntry = other("text") else {
            report.missing("'post' needs 'text'", at: entry.keyRange)
            return nil
        }
        guard let text = expressions.template(textEntry), let target else { return nil }
        return Post(
            target: target, text: text, title: title ?? nil,
            urgency: urgency.flatMap(Post.Urgency.init) ?? context.defaults.urgency, thread: thread ?? .session,
            updates: updates ?? false, mentions: mentions ?? false, chart: chart)
    }

    private func thread(_ entry: YAMLEntry) -> Post.Thread? {
        switch report.word(entry, "session, none or a name") {
        case nil: nil
        case "session": .session
        case "none": Post.Thread.none
        case let name?: .named(name)
        }
    }

    /// A kind, or a kind with a window of its own.
    private func chart(_ entry: YAMLEntry) -> ChartRequest? {
        let kinds = ChartRequest.Kind.allCases.map(\.rawValue)
        guard case .mapping = entry.value.content else {
            return report.choice(entry, kinds).flatMap(ChartRequest.Kind.init).map { ChartRequest($0) }
        }
        guard let fields = Fields(entry.value, of: "'chart'", Language.chart, report) else { return nil }
        let window = fields["window"].flatMap(report.costsWindow)
        let kind = fields.required("kind", ": \(kinds.joined(separator: " or "))").flatMap { report.choice($0, kinds) }
        return kind.flatMap(ChartRequest.Kind.init).map { ChartRequest($0, window: window) }
    }

    private func target(_ entry: YAMLEntry) -> Post.Target? {
        if let program = expressions.wholeExpression(
            entry, accepts: [.string, .list(.string), .list(.dyn)], "a channel or a list of them")
        {
            return program.map { .expression($0) }
        }
        guard let entries = report.elements(entry) else { return nil }
        if entries.isEmpty { report.error("'post' names no channel", at: entry.value.range) }
        return .channels(entries.compactMap { report.channel($0, of: context.channels) })
    }

    // MARK: - Writes

    /// - Parameter value: nil for a bare word.
    func kind(_ action: YAMLEntry, _ value: YAMLEntry?) -> Write.Kind? {
        switch (action.key, value) {
        case ("hide", nil): return .hide
        case ("show", nil): return .show
        case ("unarchive", nil): return .unarchive
        case ("hide", let value?), ("show", let value?), ("unarchive", let value?):
            report.error("'\(action.key)' takes no value", at: value.value.range)
            return nil
        case ("archive", let value): return archive(value)
        case ("follow_up", let value?): return followUp(value)
        case ("snooze", let value?): return snooze(value)
        case ("note", let value?): return note(value)
        case ("log", let value?): return log(value)
        case ("favorite", let value?):
            if let program = expressions.wholeExpression(value, accepts: [.bool], "true or false") {
                return program.map { .favorite(.expression($0)) }
            }
            return report.boolean(value).map { .favorite(.constant($0)) }
        default: return nil
        }
    }

    private func fields(_ entry: YAMLEntry, _ keys: [String]) -> Fields? {
        if case .scalar = entry.value.content {
            report.error(
                "'\(entry.key)' takes a map: write '\(entry.key): {\(keys[0]): …}'", at: entry.value.range.prefix(1))
            return nil
        }
        return Fields(entry.value, of: "'\(entry.key)'", Language.Keys(known: keys), report)
    }

    private static let archivable = ["needs_input", "failed"]

    private func archive(_ entry: YAMLEntry?) -> Write.Kind? {
        guard let entry else { return .archive(from: Self.archivable) }
        guard let more = fields(entry, ["from"])?.required("from", ": [STATUS]").flatMap(report.elements) else {
            return nil
        }
        let statuses = Language.statuses.filter { $0 != "archived" }
        let chosen = more.compactMap { report.choice($0, statuses) }
        return .archive(from: Self.archivable + chosen.filter { !Self.archivable.contains($0) })
    }

    private func followUp(_ entry: YAMLEntry) -> Write.Kind? {
        guard let fields = fields(entry, ["prompt", "goal"]) else { return nil }
        let goal = fields["goal"].flatMap(expressions.template)
        return fields.required("prompt").flatMap(expressions.template).map { .followUp(prompt: $0, goal: goal) }
    }

    private func note(_ entry: YAMLEntry) -> Write.Kind? {
        guard let fields = fields(entry, ["append", "replace"]) else { return nil }
        switch (fields["append"], fields["replace"]) {
        case (let text?, nil): return expressions.template(text).map { .appendNote($0) }
        case (nil, let text?): return expressions.template(text).map { .replaceNote($0) }
        case (_?, let second?): report.error("'note' takes 'append' or 'replace', not both", at: second.keyRange)
        case (nil, nil): report.missing("'note' needs 'append' or 'replace'", at: entry.keyRange)
        }
        return nil
    }

    private func log(_ entry: YAMLEntry) -> Write.Kind? {
        guard let fields = fields(entry, ["text", "level"]) else { return nil }
        let level = fields["level"].flatMap { report.choice($0, Language.logLevels) } ?? "info"
        return fields.required("text").flatMap(expressions.template).map { .log(text: $0, level: level) }
    }

    private func snooze(_ entry: YAMLEntry) -> Write.Kind? {
        guard let fields = fields(entry, ["for", "until"]) else { return nil }
        switch (fields["for"], fields["until"]) {
        case (let length?, nil):
            if let program = expressions.wholeExpression(length, accepts: [.duration], "a duration") {
                return program.map { .snooze(.for(.expression($0))) }
            }
            return report.duration(length, atLeast: .seconds(1)).map { .snooze(.for(.constant($0))) }
        case (nil, let moment?): return self.moment(moment).map { .snooze(.until($0)) }
        case (_?, let second?): report.error("'snooze' takes 'for' or 'until', not both", at: second.keyRange)
        case (nil, nil): report.missing("'snooze' needs 'for' or 'until'", at: entry.keyRange)
        }
        return nil
    }

    private func moment(_ entry: YAMLEntry) -> Argument<LocalMoment>? {
        if let program = expressions.wholeExpression(entry, accepts: [.timestamp], "a time") {
            return program.map { .expression($0) }
        }
        let ways = "\"monday 09:00\", \"tomorrow 09:00\", \"2026-10-12 09:00\" or a timestamp"
        guard let text = report.text(entry, ways) else { return nil }
        guard let moment = LocalMoment(parsing: text) else {
            report.error("'until' takes \(ways), not '\(text)'", at: entry.value.range)
            return nil
        }
        return .constant(moment)
    }
}

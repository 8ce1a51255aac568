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
}

import CEL

/// Reads the steps of `do` and `resolved`.
struct StepLoader {
    let expressions: ExpressionCompiler
    let context: RuleLoader.Context
    let watchable: Vocabulary.Watchable?
    /// Of a rule that a person calls.
    let isCommand: Bool
    let report: DiagnosticCollector

    func load(_ entry: YAMLEntry) -> [Step] {
        switch entry.value.content {
        case .unreadable: return []
        case .sequence(let nodes):
            if nodes.isEmpty { report.error("'\(entry.key)' has no steps", at: entry.keyRange) }
            return nodes.compactMap(step)
        case .scalar(let scalar) where scalar.text.isEmpty:
            report.missing("'\(entry.key)' has no steps", at: entry.keyRange)
        case .scalar, .mapping:
            report.error("'\(entry.key)' is a list of steps: begin each with '- '", at: entry.value.range.prefix(1))
        }
        return []
    }

    private func step(_ node: YAMLNode) -> Step? {
        switch node.content {
        case .unreadable: return nil
        case .sequence:
            report.error("a step is one action, not a list", at: node.range.prefix(1))
            return nil
        case .scalar(let scalar):
            let word = YAMLEntry(key: scalar.text, keyRange: node.range, value: node)
            guard isKnown(word) else { return nil }
            guard Language.bareSteps.contains(word.key) else {
                report.error("'\(word.key)' needs a value: '\(word.key): …'", at: node.range)
                return nil
            }
            return make(word, value: nil, others: [])
        case .mapping(let entries):
            guard let action = action(among: entries), isKnown(action) else { return nil }
            let others = entries.filter { $0.key != action.key }
            checkKeys(beside: action, others)
            return make(action, value: action.hasNoValue ? nil : action, others: others)
        }
    }

    // MARK: - Which action

    private func action(among entries: [YAMLEntry]) -> YAMLEntry? {
        let words = Language.steps.known
        let actions = entries.filter { words.contains($0.key) }
        guard let first = actions.first else {
            if let entry = entries.first { _ = isKnown(entry) }
            return nil
        }
        for other in actions.dropFirst() {
            report.error(
                "a step is one action, and '\(first.key)' is one already: begin a step of its own with '- '",
                at: other.keyRange)
        }
        return actions.count == 1 ? first : nil
    }

    private func isKnown(_ word: YAMLEntry) -> Bool {
        if Language.steps.known.contains(word.key) { return true }
        let suggestion = NearMiss.best(of: Language.steps.known, for: word.key)
        let known = suggestion == nil ? ": there are \(Language.steps.known.joined(separator: ", "))" : ""
        report.error("there is no step '\(word.key)'\(known)", at: word.keyRange, suggestion: suggestion)
        return false
    }

    private func checkKeys(beside action: YAMLEntry, _ others: [YAMLEntry]) {
        let own =
            Language.stepKeys
            + (action.key == "post" ? Language.post.known : takesSession(action) ? ["session"] : [])
        for entry in others where !own.contains(entry.key) {
            if Language.post.later.contains(entry.key) {
                report.error(Language.notSupported(entry.key), at: entry.keyRange)
            } else if Language.post.known.contains(entry.key) {
                report.error("'\(entry.key)' goes with 'post', not with '\(action.key)'", at: entry.keyRange)
            } else if entry.key == "session" {
                report.error(
                    "'session' goes with what is written to a session, not with '\(action.key)'", at: entry.keyRange)
            } else {
                report.error(
                    "'\(action.key)' has no key '\(entry.key)' beside it", at: entry.keyRange,
                    suggestion: NearMiss.best(of: own, for: entry.key))
            }
        }
    }

    private func takesSession(_ action: YAMLEntry) -> Bool {
        Language.writes.contains(action.key) && Addressee(step: action.key) == .session
    }

    // MARK: - The action

    private func make(_ action: YAMLEntry, value: YAMLEntry?, others: [YAMLEntry]) -> Step? {
        let position = report.source.position(at: action.keyRange.lowerBound)
        func other(_ key: String) -> YAMLEntry? { others.first { $0.key == key } }
        let condition = other("if").flatMap { expressions.program($0, accepts: [.bool], "a bool") }
        let onError = other("on_error").flatMap { report.choice($0, ["stop", "continue"]) }
        let confirmation = other("confirm").flatMap { self.confirmation($0, of: action) }
        checkCommandStep(action)
        checkConfirmedStep(action, isConfirmed: other("confirm") != nil)
        return self.action(action, value, other).map {
            Step(
                position: position, action: $0, condition: condition,
                onError: onError.flatMap(Step.OnError.init) ?? .stop, confirmation: confirmation)
        }
    }

    private func action(_ action: YAMLEntry, _ value: YAMLEntry?, _ other: (String) -> YAMLEntry?) -> Step.Action? {
        switch (action.key, value) {
        case ("post", let value?): return post(value, other).map { .post($0) }
        case ("wait", let value?): return report.duration(value).map { .wait($0) }
        case ("reply", let value?): return expressions.template(value).map { .reply($0) }
        case (_, nil) where !Language.bareSteps.contains(action.key):
            report.error("'\(action.key)' has no value", at: action.keyRange)
            return nil
        default:
            if let allow = context.allow, !allow.contains(action.key) {
                report.error("'\(action.key)' is not among the steps that 'zimmer.allow' names", at: action.keyRange)
            }
            return write(action, value, session: other("session")).map { .write($0) }
        }
    }
}

extension YAMLEntry {
    fileprivate var hasNoValue: Bool {
        if case .scalar(let scalar) = value.content { scalar.style == .plain && scalar.text.isEmpty } else { false }
    }
}

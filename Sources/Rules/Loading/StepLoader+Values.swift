import CEL

/// Values of steps: written down, or one whole `{{ }}`.
extension StepLoader {
    func flag(_ entry: YAMLEntry) -> Argument<Bool>? {
        if let program = expressions.wholeExpression(entry, accepts: [.bool], "true or false") {
            return program.map { .expression($0) }
        }
        return report.boolean(entry).map { .constant($0) }
    }

    func duration(
        _ entry: YAMLEntry, atLeast least: Duration = .zero, atMost most: Duration? = nil
    ) -> Argument<Duration>? {
        if let program = expressions.wholeExpression(entry, accepts: [.duration], "a duration") {
            return program.map { .expression($0) }
        }
        return report.duration(entry, atLeast: least, atMost: most).map { .constant($0) }
    }

    private func integer(_ entry: YAMLEntry, in bounds: ClosedRange<Int>) -> Argument<Int64>? {
        if let program = expressions.wholeExpression(entry, accepts: [.int], "a whole number") {
            return program.map { .expression($0) }
        }
        return report.integer(entry, in: bounds).map { .constant(Int64($0)) }
    }

    /// The values of a map that are sent under the names that they have there; nil when one is wrong.
    func members(of fields: Fields) -> [Write.Member]? {
        let members = fields.known.map { entry in
            value(entry).map { Write.Member(name: entry.key == "interval" ? "interval_seconds" : entry.key, value: $0) }
        }
        let read = members.compactMap { $0 }
        return read.count == members.count ? read : nil
    }

    private func value(_ entry: YAMLEntry) -> Write.Member.Value? {
        switch entry.key {
        case "precedence": integer(entry, in: -1_000_000_000...1_000_000_000).map { .integer($0) }
        case "parent_session_id": integer(entry, in: 1...Int.max).map { .integer($0) }
        case "is_autonomous", "enabled": flag(entry).map { .flag($0) }
        case "interval":
            duration(entry, atLeast: .seconds(30), atMost: .seconds(86_400)).map { .seconds($0) }
        case "scheduling_class": word(entry, of: Language.schedulingClasses)
        case "place": word(entry, of: Language.places)
        case "mcp_servers", "catalog_skills", "catalog_hooks", "catalog_plugins":
            report.elements(entry).map { .words($0.compactMap { report.word($0, "a name") }) }
        // An empty goal takes the goal away.
        case "goal": expressions.template(entry).map { .text($0) }
        default: words(entry).map { .text($0) }
        }
    }

    /// A text that says something.
    func words(_ entry: YAMLEntry) -> Template? {
        guard let template = expressions.template(entry) else { return nil }
        let isEmpty = template.parts.allSatisfy { part in
            if case .markup(let text) = part { text.allSatisfy(\.isWhitespace) } else { false }
        }
        if isEmpty { report.error("'\(entry.key)' is empty", at: entry.value.range) }
        return isEmpty ? nil : template
    }

    /// One of a few words, or what computes one.
    private func word(_ entry: YAMLEntry, of words: [String]) -> Write.Member.Value? {
        if case .scalar(let scalar) = entry.value.content, scalar.text.contains("{{") {
            return expressions.template(entry).map { .text($0) }
        }
        return report.choice(entry, words).map { .text(Template(parts: [.markup($0)])) }
    }

    /// Plain true and false, integers and decimals are that, one whole `{{ }}` is what it comes to, all else is text.
    func anything(_ entry: YAMLEntry) -> Write.Member.Value? {
        guard case .scalar(let scalar) = entry.value.content else {
            report.error("'\(entry.key)' takes a text, a number or a bool", at: entry.value.range.prefix(1))
            return nil
        }
        let text = scalar.text.trimmed
        if text.hasPrefix("{{"), text.hasSuffix("}}"), !text.dropFirst(2).contains("{{") {
            let types: [Type] = [.string, .int, .double, .bool, .dyn]
            return expressions.wholeExpression(entry, accepts: types, "a text, a number or a bool")?.map { .any($0) }
        }
        if text.contains("{{") { return expressions.template(entry).map { .text($0) } }
        return switch Constants.value(entry, report)?.1 {
        case .bool(let flag)?: .flag(.constant(flag))
        case .int(let number)?: .integer(.constant(number))
        case .double(let number)?: .number(number)
        case .string(let text)?: .text(Template(parts: [.markup(text)]))
        default: nil
        }
    }
}

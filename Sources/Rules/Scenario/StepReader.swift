import CEL

/// Reads one step of a test.
struct StepReader {
    let report: DiagnosticCollector
    let words: ScenarioWords
    /// Those in force; nil where they could not be read.
    let rules: RuleFile?
    private let load: (String) -> RuleFile?

    private static let ownKeys =
        ["at", "gone", "fail", "works", "writes", "restart", "reload", "expect"] + wishKeys
    private static let restartKeys = Language.Keys(known: ["down"])

    init(_ loader: ScenarioLoader, rules: RuleFile?) {
        report = loader.report
        words = loader.words
        load = loader.load
        self.rules = rules
    }

    func step(_ node: YAMLNode) -> ScenarioFile.Step? {
        let watchables = words.vocabulary.watchables
        let keys = Language.Keys(known: Self.ownKeys + watchables.map(words.key))
        guard let fields = Fields(node, of: "a step", keys, report) else { return nil }
        let at = fields.required("at", ": how long after the start").flatMap { report.duration($0) }
        var step = ScenarioFile.Step(
            position: report.source.position(at: node.range.lowerBound), at: at ?? .zero)
        for watchable in watchables {
            guard let entry = fields[words.key(of: watchable)], let reading = reading(entry, of: watchable) else {
                continue
            }
            step.readings.append(reading)
        }
        step.gone = fields["gone"].map(gone) ?? []
        step.fails = fields["fail"].map(readers) ?? []
        step.works = fields["works"].map(readers) ?? []
        checkFailing(fields, step)
        step.restart = fields["restart"].flatMap(restart)
        step.wishes = wishes(fields)
        step.fates = fields["writes"].map(fates) ?? [:]
        if let entry = fields["reload"] {
            step.reload = report.text(entry, "the path of a rules file").flatMap(load)
        }
        let expectations = ExpectationReader(report, words: words, rules: step.reload ?? rules)
        step.expected = fields["expect"].map(expectations.expectations)
        return at == nil ? nil : step
    }

    // MARK: - What is read

    private func reading(_ entry: YAMLEntry, of watchable: Vocabulary.Watchable) -> ScenarioFile.Reading? {
        guard watchable.isCollection else {
            return report.object(entry.value, of: watchable.type, words).map {
                ScenarioFile.Reading(watchable: watchable.name, objects: [(watchable.name, .object($0))])
            }
        }
        guard case .sequence(let nodes) = entry.value.content else {
            if case .unreadable = entry.value.content { return nil }
            let example = "- {\(watchable.identity): …}"
            report.error("'\(entry.key)' is a list: begin each with '\(example)'", at: entry.value.range.prefix(1))
            return nil
        }
        var seen: Set<String> = []
        let objects = nodes.compactMap { node -> (id: String, sketch: Sketch)? in
            guard let fields = report.object(node, of: watchable.type, words) else { return nil }
            guard let id = fields[watchable.identity]?.identity else {
                if node.place(of: watchable.identity) == nil {
                    report.missing("'\(watchable.name)' needs '\(watchable.identity)'", at: node.range.prefix(1))
                }
                return nil
            }
            if !seen.insert(id).inserted {
                report.error("there is a \(watchable.name) \(id) already in this step", at: node.range.prefix(1))
            }
            return (id, .object(fields))
        }
        return ScenarioFile.Reading(watchable: watchable.name, objects: objects)
    }

    /// Ids of sessions, or a map with those of other things too.
    private func gone(_ entry: YAMLEntry) -> [SubjectID] {
        guard case .mapping = entry.value.content else { return ids(entry, of: "session") }
        let lists = words.vocabulary.watchables.filter { $0.isCollection && words.reader(of: $0) != nil }
        let keys = Language.Keys(known: lists.map(words.key))
        guard let fields = Fields(entry.value, of: "'gone'", keys, report) else { return [] }
        return lists.flatMap { list in fields[words.key(of: list)].map { ids($0, of: list.name) } ?? [] }
    }

    private func ids(_ entry: YAMLEntry, of type: String) -> [SubjectID] {
        (report.elements(entry) ?? []).compactMap { element in
            report.integer(element, in: 1 ... .max).map { SubjectID(type: type, id: String($0)) }
        }
    }

    private func readers(_ entry: YAMLEntry) -> [String] {
        (report.elements(entry) ?? []).compactMap { report.choice($0, words.readerNames) }
    }

    /// What fails from here on cannot be read here.
    private func checkFailing(_ fields: Fields, _ step: ScenarioFile.Step) {
        guard let entry = fields["fail"] else { return }
        for reader in step.fails {
            let given = step.readings.contains { reading in
                words.vocabulary.watchable(reading.watchable).flatMap(words.reader) == reader
            }
            guard given || step.works.contains(reader) else { continue }
            report.error("'\(reader)' cannot fail and be read in one step", at: entry.value.range)
        }
    }

    // MARK: - The bot

    private func restart(_ entry: YAMLEntry) -> Duration? {
        if case .mapping = entry.value.content {
            let fields = Fields(entry.value, of: "'restart'", Self.restartKeys, report)
            return fields?["down"].flatMap { report.duration($0) } ?? .zero
        }
        return report.boolean(entry) == true ? .zero : nil
    }
}

extension DiagnosticCollector {
    /// One rule or several.
    func ruleNames(_ entry: YAMLEntry, in file: RuleFile?) -> [String] {
        (elements(entry) ?? []).compactMap { element in
            guard let name = word(element, "the name of a rule") else { return nil }
            check(name, of: element, in: file)
            return name
        }
    }

    /// The rules that are in force have one of this name, and it is none that a test has no way to start.
    func check(_ name: String, of entry: YAMLEntry, in file: RuleFile?) {
        guard let file else { return }
        guard let rule = file.rules.first(where: { $0.name == name }) else {
            return error(
                "there is no rule '\(name)'", at: entry.value.range,
                suggestion: NearMiss.best(of: file.rules.map(\.name), for: name))
        }
        if case .command = rule.trigger {
            error("rule '\(name)' has 'command', and a test cannot call it yet", at: entry.value.range)
        }
    }
}

extension Vocabulary.Watchable {
    /// The field that tells one from another.
    package var identity: String { type.slot(of: "id") == nil ? "name" : "id" }
}

extension Sketch {
    /// As the id of a subject.
    fileprivate var identity: String? {
        switch self {
        case .value(.int(let number)): String(number)
        case .value(.string(let name)): name
        default: nil
        }
    }
}

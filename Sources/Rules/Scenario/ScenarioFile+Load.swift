import CEL

extension ScenarioFile {
    /// Reads a file of tests and reports everything wrong with it at once, in the order of the file.
    ///
    /// - Parameters:
    ///   - file: its path, as positions show it.
    ///   - load: gives the rules of a file by the path that is written here. Nil where that has errors, which are the
    ///     caller's to report; what the tests say of its rules is not checked then.
    /// - Returns: The file, nil when it or its rules have errors.
    package static func load(
        _ text: some Sequence<UInt8>, file: String, words: ScenarioWords, rules load: (String) -> RuleFile?
    ) -> (file: ScenarioFile?, diagnostics: [RuleDiagnostic]) {
        let bytes = Array(text)
        let valid = bytes.validUTF8Prefix
        let report = DiagnosticCollector(SourceText(bytes[..<valid], file: file))
        guard valid == bytes.count else {
            let end = report.source.bytes.count
            report.error("this is not UTF-8, the only encoding of tests", at: end..<end)
            return (nil, report.finish())
        }
        guard let root = YAMLDocument(report).root else { return (nil, report.finish()) }
        let loaded = withoutActuallyEscaping(load) { ScenarioLoader(report, words: words, load: $0).load(root) }
        return (report.hasErrors ? nil : loaded, report.finish())
    }
}

/// Reads the tree of a file of tests.
struct ScenarioLoader {
    let report: DiagnosticCollector
    let words: ScenarioWords
    let load: (String) -> RuleFile?

    private static let keys = Language.Keys(known: ["rules", "start", "tests"])
    private static let testKeys = Language.Keys(known: ["name", "start", "only", "steps"])

    init(_ report: DiagnosticCollector, words: ScenarioWords, load: @escaping (String) -> RuleFile?) {
        self.report = report
        self.words = words
        self.load = load
    }

    /// Nil where the rules have errors.
    func load(_ root: YAMLNode) -> ScenarioFile? {
        guard let fields = Fields(root, of: "a file of tests", Self.keys, report) else { return nil }
        let rules = fields.required("rules", ": the path of a rules file, relative to this one").flatMap(self.rules)
        let start = fields["start"].flatMap(report.instant)
        let tests = fields.required("tests").map { self.tests($0, start: start, hasStart: fields.has("start"), rules) }
        guard let rules, let tests else { return nil }
        return ScenarioFile(name: report.source.file, rules: rules, tests: tests)
    }

    // MARK: - Rules

    /// One file, or several whose rules are put together.
    private func rules(_ entry: YAMLEntry) -> RuleFile? {
        guard let elements = report.elements(entry) else { return nil }
        if elements.isEmpty { report.error("'rules' names no file", at: entry.value.range.prefix(1)) }
        var all: RuleFile?
        var isWhole = true
        for element in elements {
            guard let path = report.text(element, "the path of a rules file"), let file = load(path) else {
                isWhole = false
                continue
            }
            guard var known = all else {
                all = file
                continue
            }
            for rule in file.rules where known.rules.contains(where: { $0.name == rule.name }) {
                report.error("there is a rule '\(rule.name)' in another of these files", at: element.value.range)
            }
            known.add(file)
            all = known
        }
        return isWhole ? all : nil
    }

    // MARK: - Tests

    private func tests(_ entry: YAMLEntry, start: Timestamp?, hasStart: Bool, _ rules: RuleFile?) -> [ScenarioFile.Test]
    {
        guard let nodes = nodes(entry, of: "tests: begin each with '- name: …'") else { return [] }
        var names: [String: Int] = [:]
        return nodes.compactMap { node in
            guard let fields = Fields(node, of: "a test", Self.testKeys, report) else { return nil }
            let position = report.source.position(at: node.range.lowerBound)
            let name = fields.required("name").flatMap { report.text($0) }
            if let name, let range = fields["name"]?.value.range {
                if let line = names[name] {
                    report.error("there is a test '\(name)' already, in line \(line)", at: range)
                }
                names[name] = position.line
            }
            let own = fields["start"].flatMap(report.instant) ?? start
            if own == nil, !hasStart, !fields.has("start") {
                report.missing("a test needs 'start', its own or that of the file", at: fields.ordered[0].keyRange)
            }
            let steps = fields.required("steps").map { self.steps($0, rules) } ?? []
            let only = fields["only"].map { Set(report.ruleNames($0, in: rules)) }
            guard let name, let own else { return nil }
            return ScenarioFile.Test(name: name, position: position, start: own, only: only, steps: steps)
        }
    }

    private func steps(_ entry: YAMLEntry, _ rules: RuleFile?) -> [ScenarioFile.Step] {
        guard let nodes = nodes(entry, of: "steps: begin each with '- at: …'") else { return [] }
        var last: ScenarioFile.Step?
        var inForce = rules
        return nodes.compactMap { node in
            guard let step = StepReader(self, rules: inForce).step(node) else { return nil }
            if let last, step.at <= last.at, let place = node.place(of: "at") {
                report.error("steps go forward in time, and the one before is at \(last.at.compact)", at: place)
            }
            last = step
            if let reload = step.reload { inForce = reload }
            return step
        }
    }

    private func nodes(_ entry: YAMLEntry, of what: String) -> [YAMLNode]? {
        switch entry.value.content {
        case .sequence(let nodes): return nodes
        case .unreadable: return nil
        case .scalar, .mapping:
            report.error("'\(entry.key)' is a list of \(what)", at: entry.value.range.prefix(1))
            return nil
        }
    }
}

extension YAMLNode {
    /// Where the value of a key stands.
    func place(of key: String) -> Range<Int>? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value.range
    }
}

extension RuleFile {
    /// Puts the rules and channels of another file behind these.
    fileprivate mutating func add(_ other: RuleFile) {
        zimmer = zimmer ?? other.zimmer
        notices = notices ?? other.notices
        rules += other.rules
        channels += other.channels.filter { channel($0.name) == nil }
    }
}

extension Duration {
    /// As a rules file has it: `1h30m`, `90s` as `1m30s`.
    package var compact: String {
        var rest = components.seconds
        var text = ""
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)] as [(String, Int64)] {
            let (count, left) = rest.quotientAndRemainder(dividingBy: length)
            if count > 0 { text += "\(count)\(unit)" }
            rest = left
        }
        return text.isEmpty ? "0m" : text
    }
}

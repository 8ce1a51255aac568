import CEL

/// Reads the tree of a rules file: settings first, then the rules that build on them.
struct RuleFileLoader {
    let report: DiagnosticCollector
    let vocabulary: Vocabulary
    let schemas: [ChannelSchema]
    let now: Timestamp
    let reader: (any RuleFileReader)?

    init(
        _ report: DiagnosticCollector, vocabulary: Vocabulary, schemas: [ChannelSchema], now: Timestamp,
        reader: (any RuleFileReader)?
    ) {
        self.report = report
        self.vocabulary = vocabulary
        self.schemas = schemas
        self.now = now
        self.reader = reader
    }

    /// - Returns: The file, and what is said about those that it includes.
    func load(_ root: YAMLNode) -> (RuleFile?, included: [DiagnosticCollector]) {
        guard let fields = Fields(root, of: "a rules file", Language.file, hidesUnknown: true, report) else {
            return (nil, [])
        }
        let zimmer = fields["zimmer"].flatMap(self.zimmer)
        if fields["zimmer"] == nil {
            report.warning(
                "there is no 'zimmer': nothing can run without its 'url' and 'api_key'", at: root.range.prefix(1))
        }
        let defaults = fields["defaults"].map { RuleLoader.Defaults($0, report) } ?? RuleLoader.Defaults()
        let channels = fields["channels"].map { self.channels($0, defaults.timeZone ?? "UTC") } ?? Channels()
        let notices = fields["notices"].flatMap { self.notices($0, channels) }
        var inclusion = Inclusion(report)
        if let entry = fields["include"] { inclusion.open(entry, reader) }
        let parts = [RuleFilePart(report: report, fields: fields)] + inclusion.parts
        let constants = Constants(parts)
        let context = RuleLoader.Context(
            vocabulary: vocabulary, channels: channels.names, allow: zimmer?.allow, constants: constants.object,
            defaults: defaults,
            now: now)
        let rules = self.rules(parts, context)
        if fields["notices"] == nil { warnAboutWrites(of: rules) }
        for rule in rules { checkQuiet(of: rule, channels.settings) }
        if let zimmer { for rule in rules { checkActing(of: rule, zimmer.signIn) } }
        let reports = [report] + inclusion.reports
        if !reports.contains(where: \.hasErrors) { warnAboutFights(between: rules) }
        var file = RuleFile(
            name: report.source.file, zimmer: zimmer, channels: channels.settings, notices: notices,
            rules: rules.map(\.rule), constants: constants.object, timeZone: context.defaults.timeZone ?? "UTC")
        if let entry = fields["store"] { file.store = store(entry) }
        return (file, inclusion.reports)
    }

    /// A rule, and where there is something to say about it.
    typealias Loaded = (rule: Rule, report: DiagnosticCollector)

    private func rules(_ parts: [RuleFilePart], _ context: RuleLoader.Context) -> [Loaded] {
        let loaders = parts.flatMap { part in
            part.ruleNodes.compactMap { RuleLoader($0, context, part.report) }
        }
        var names: [String: SourcePosition] = [:]
        let loaded = loaders.compactMap { loader -> (rule: Rule, loader: RuleLoader)? in
            if let (name, range) = loader.name {
                let place = loader.report.source.position(at: range.lowerBound)
                if let first = names[name] {
                    let there = first.file == place.file ? "in line \(first.line)" : "at \(first)"
                    loader.report.error("there is a rule '\(name)' already, \(there)", at: range)
                } else {
                    names[name] = place
                }
            }
            return loader.load().map { ($0, loader) }
        }
        let rules = loaded.map(\.rule)
        for loader in loaders { loader.checkSuppression(among: rules, names: names.keys.sorted()) }
        var words: [String: SourcePosition] = [:]
        for (rule, loader) in loaded { loader.checkWord(of: rule, &words) }
        return loaded.map { ($0.rule, $0.loader.report) }
    }

    /// A rule's quiet hours and those of a channel that it names may leave no time between them.
    private func checkQuiet(of loaded: Loaded, _ channels: [ChannelSettings]) {
        let (rule, report) = loaded
        guard let own = rule.quiet else { return }
        let names = (rule.steps + rule.resolved).flatMap { step -> [String] in
            guard case .post(let post) = step.action, post.urgency != .high, case .channels(let names) = post.target
            else { return [] }
            return names
        }
        for channel in channels where names.contains(channel.name) {
            guard let quiet = channel.delivery.quiet, QuietHours.areEndless([own, quiet], from: now) else { continue }
            let place = report.source.offset(of: rule.position)
            report.error(
                "'quiet' of '\(rule.name)' and of channel '\(channel.name)' together leave no time at which a message could"
                    + " go", at: place..<(place + 1))
        }
    }

    /// Only of rules that are right by themselves.
    private func warnAboutFights(between rules: [Loaded]) {
        let reports = Dictionary(rules.map { ($0.rule.name, $0.report) }, uniquingKeysWith: { first, _ in first })
        for warning in RuleAnalysis.warnings(about: rules.map(\.rule)) {
            guard let report = reports[warning.rule.name] else { continue }
            let place = report.source.offset(of: warning.rule.position)
            report.warning(warning.message, at: place..<(place + warning.rule.name.utf8.count))
        }
    }

    /// Once for the file, at the first of them.
    private func warnAboutWrites(of rules: [Loaded]) {
        guard let (rule, report) = rules.first(where: { $0.rule.writes && $0.rule.mode != .off }) else { return }
        let place = report.source.offset(of: rule.position)
        report.warning(
            "'\(rule.name)' changes things in Zimmer, but there is no 'notices: {channels: […]}' to say when that fails",
            at: place..<(place + 1))
    }
}

extension RuleFilePart {
    fileprivate var ruleNodes: [YAMLNode] {
        guard let entry = fields["rules"] else { return [] }
        guard case .sequence(let nodes) = entry.value.content else {
            if case .unreadable = entry.value.content { return [] }
            report.error("'rules' is a list of rules: begin each with '- name: …'", at: entry.value.range.prefix(1))
            return []
        }
        return nodes
    }
}

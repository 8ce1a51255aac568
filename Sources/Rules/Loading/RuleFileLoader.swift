import CEL

/// Reads the tree of a rules file: settings first, then the rules that build on them.
struct RuleFileLoader {
    let report: DiagnosticCollector
    let vocabulary: Vocabulary
    let schemas: [ChannelSchema]
    let now: Timestamp

    init(_ report: DiagnosticCollector, vocabulary: Vocabulary, schemas: [ChannelSchema], now: Timestamp) {
        self.report = report
        self.vocabulary = vocabulary
        self.schemas = schemas
        self.now = now
    }

    func load(_ root: YAMLNode) -> RuleFile? {
        guard let fields = Fields(root, of: "a rules file", Language.file, hidesUnknown: true, report) else {
            return nil
        }
        let zimmer = fields["zimmer"].flatMap(self.zimmer)
        if fields["zimmer"] == nil {
            report.warning(
                "there is no 'zimmer': nothing can run without its 'url' and 'api_key'", at: root.range.prefix(1))
        }
        let defaults = fields["defaults"].map { RuleLoader.Defaults($0, report) } ?? RuleLoader.Defaults()
        let channels = fields["channels"].map { self.channels($0, defaults.timeZone ?? "UTC") } ?? Channels()
        let notices = fields["notices"].flatMap { self.notices($0, channels) }
        let constants = Constants(fields["vars"], report)
        let context = RuleLoader.Context(
            vocabulary: vocabulary, channels: channels.names, allow: zimmer?.allow, constants: constants.object,
            defaults: defaults,
            now: now)
        let rules = fields["rules"].map { self.rules($0, context) } ?? []
        if fields["notices"] == nil { warnAboutWrites(of: rules) }
        for rule in rules { checkQuiet(of: rule, channels.settings) }
        return RuleFile(
            name: report.source.file, zimmer: zimmer, channels: channels.settings, notices: notices, rules: rules,
            constants: constants.object, timeZone: context.defaults.timeZone ?? "UTC")
    }

    private func rules(_ entry: YAMLEntry, _ context: RuleLoader.Context) -> [Rule] {
        guard case .sequence(let nodes) = entry.value.content else {
            if case .unreadable = entry.value.content { return [] }
            report.error("'rules' is a list of rules: begin each with '- name: …'", at: entry.value.range.prefix(1))
            return []
        }
        var names: [String: Int] = [:]
        let loaders = nodes.compactMap { RuleLoader($0, context, report) }
        let rules = loaders.compactMap { loader in
            if let (name, range) = loader.name {
                if let line = names[name] {
                    report.error("there is a rule '\(name)' already, in line \(line)", at: range)
                } else {
                    names[name] = report.source.line(at: range.lowerBound) + 1
                }
            }
            return loader.load()
        }
        for loader in loaders { loader.checkSuppression(among: rules, names: names.keys.sorted()) }
        return rules
    }

    /// A rule's quiet hours and those of a channel that it names may leave no time between them.
    private func checkQuiet(of rule: Rule, _ channels: [ChannelSettings]) {
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

    /// Once for the file, at the first of them.
    private func warnAboutWrites(of rules: [Rule]) {
        guard let rule = rules.first(where: { $0.writes && $0.mode != .off }) else { return }
        let place = report.source.offset(of: rule.position)
        report.warning(
            "'\(rule.name)' changes things in Zimmer, but there is no 'notices: {channels: […]}' to say when that fails",
            at: place..<(place + 1))
    }
}

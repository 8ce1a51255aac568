import CEL

/// Reads one rule: its keys, then its expressions in the environment that they make.
struct RuleLoader {
    /// What a rule is read against.
    struct Context {
        var vocabulary: Vocabulary
        var channels: [String]
        /// `zimmer.allow`.
        var allow: Set<String>?
        /// `vars`.
        var constants: Object
        var defaults: Defaults
        var now: Timestamp
    }

    let fields: Fields
    let context: Context
    let report: DiagnosticCollector
    /// Where it stands, if it could be read.
    let name: (text: String, range: Range<Int>)?

    init?(_ node: YAMLNode, _ context: Context, _ report: DiagnosticCollector) {
        guard let fields = Fields(node, of: "a rule", Language.rule, report) else { return nil }
        self.fields = fields
        self.context = context
        self.report = report
        name = Self.name(fields, report)
    }

    /// The rule; nil where something that it cannot do without is wrong.
    func load() -> Rule? {
        let trigger = self.trigger()
        if let trigger { checkKeys(of: trigger) }
        // What the expressions are read against, so that one misspelt word is one error.
        let likely = trigger ?? likelyTrigger
        let zone = fields["timezone"].flatMap(report.zone) ?? context.defaults.timeZone
        var expressions = ExpressionCompiler(
            report: report, environment: environment(likely, zone ?? "UTC"),
            hints: ExpressionHints(hasZone: zone != nil, boardSubject: nil, channels: context.channels))
        let watchable = likely?.watchable
        declarePrevious(watchable, likely, &expressions)
        expressions.hints.boardSubject = watchable?.isCollection == true ? watchable?.name : nil
        let bindings = self.bindings(&expressions, subject: watchable?.name)
        let condition = fields["if"].flatMap { expressions.program($0, accepts: [.bool], "a bool") }
        let key = fields["key"].flatMap { expressions.program($0, accepts: Self.identities, Self.identityWords) }
        let once = fields["once"].flatMap { self.once($0, expressions) }
        expressions.hints.boardSubject = nil
        declareStepVariables(watchable, likely, &expressions)
        let steps = StepLoader(
            expressions: expressions, context: context, watchable: watchable, isCommand: fields.has("command"),
            report: report)
        let actions = fields.required("do", ": what it does").map(steps.load) ?? []
        let resolved = fields["resolved"].map(steps.load) ?? []
        let mode = self.mode()
        let hold = fields["for"].flatMap { report.duration($0) } ?? .zero
        let keep = fields["keep"].flatMap { report.duration($0) } ?? .zero
        let again = fields["repeat"].flatMap(repetition)
        let suppress = fields["suppress"].flatMap { report.word($0, "the name of a rule") }
        let jitter = fields["jitter"].flatMap { report.duration($0, atMost: .seconds(86_400)) } ?? .zero
        let existing = fields["existing"].flatMap { report.choice($0, ["run", "skip"]) }.flatMap(Rule.Existing.init)
        let limit = fields["limit"].map { report.limit($0, over: context.defaults.limit) } ?? context.defaults.limit
        let group = fields["group"].flatMap { self.group($0, expressions) }
        let quiet = fields["quiet"].flatMap { report.quietHours($0, in: zone ?? "UTC") } ?? quietByDefault(zone)
        let costs = fields["costs"].flatMap(report.costsWindow)
        let missed = fields["missed"].flatMap { report.choice($0, ["skip", "once", "all"]) }
        let description = fields["description"].flatMap { report.text($0) }
        if let schedule = trigger?.schedule { checkSlots(of: schedule, jitter, zone ?? "UTC") }
        guard let trigger, let name else { return nil }
        return Rule(
            name: name.text, position: report.source.position(at: name.range.lowerBound), description: description,
            mode: mode, trigger: trigger, environment: expressions.environment, bindings: bindings,
            constants: context.constants, condition: condition, holdFor: hold, keep: keep, again: again,
            suppress: suppress, key: key,
            once: once ?? defaultOnce(watchable, actions, expressions.environment),
            existing: existing ?? context.defaults.existing, steps: actions, resolved: resolved, limit: limit,
            group: group, quiet: quiet, timeZone: zone ?? "UTC", costs: costs,
            missed: missed.flatMap(CronSchedule.Missed.init) ?? .once, jitter: jitter,
            meaning: meaning(trigger, zone ?? "UTC"))
    }

    /// `suppress` names a rule that has episodes, once all rules are known by name.
    func checkSuppression(among rules: [Rule], names: [String]) {
        guard let entry = fields["suppress"], case .scalar(let scalar) = entry.value.content else { return }
        if scalar.text == name?.text {
            report.error("a rule cannot suppress itself", at: entry.value.range)
        } else if !names.contains(scalar.text) {
            report.missing(
                "there is no rule '\(scalar.text)'", at: entry.value.range, NearMiss.best(of: names, for: scalar.text))
        } else if let other = rules.first(where: { $0.name == scalar.text }), other.schedule != nil {
            report.error("'\(scalar.text)' is a schedule, which is never active", at: entry.value.range)
        }
    }

    static let identities: [Type] = [.string, .int, .uint, .bool, .timestamp]
    static let identityWords = "a string, int, bool or timestamp"

    private static func name(_ fields: Fields, _ report: DiagnosticCollector) -> (text: String, range: Range<Int>)? {
        guard let entry = fields.required("name", ", which no other rule has"), let name = report.word(entry, "a name")
        else { return nil }
        let isAllowed = { (byte: UInt8) in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard name.utf8.allSatisfy(isAllowed) else {
            let likely = String(decoding: name.lowercased().utf8.map { isAllowed($0) ? $0 : 0x2D }, as: UTF8.self)
            report.error(
                "a rule's name has lower case letters, digits and '-'", at: entry.value.range, suggestion: likely)
            return nil
        }
        return (name, entry.value.range)
    }

    private func mode() -> Rule.Mode {
        let mode = fields["mode"].flatMap { report.choice($0, ["live", "dry_run", "off"]) }.flatMap(Rule.Mode.init)
        if let entry = fields["enabled"], let enabled = report.boolean(entry) {
            if let mode, enabled == (mode == .off) {
                report.error(
                    "'enabled: \(enabled)' and 'mode: \(mode.rawValue)' contradict each other: take one of them out",
                    at: entry.keyRange)
            }
            if !enabled { return .off }
        }
        return mode ?? context.defaults.mode
    }

    /// `4h`, or `{every: 4h, times: 3}`.
    private func repetition(_ entry: YAMLEntry) -> Rule.Repetition? {
        let least = Duration.seconds(1)
        guard case .mapping = entry.value.content else {
            return report.duration(entry, atLeast: least).map { Rule.Repetition(every: $0) }
        }
        guard let fields = Fields(entry.value, of: "'repeat'", Language.repetition, report) else { return nil }
        let times = fields["times"].flatMap { report.integer($0, in: 1...Int.max) }
        return fields.required("every", ": a duration").flatMap { report.duration($0, atLeast: least) }
            .map { Rule.Repetition(every: $0, times: times) }
    }

    /// `defaults.quiet`, in the rule's own zone.
    private func quietByDefault(_ zone: String?) -> QuietHours? {
        context.defaults.quiet.map { $0.moved(to: zone ?? "UTC") }
    }

    /// A rule that writes to its session does so once until a person has acted; all others once per episode.
    private func defaultOnce(
        _ watchable: Vocabulary.Watchable?, _ steps: [Step], _ environment: Environment
    ) -> Rule.Once {
        let writesToSubject = steps.contains { step in
            if case .write(let write) = step.action { write.isToSubject && write.addressee == .session } else { false }
        }
        guard let watchable, writesToSubject, watchable.type.slot(of: "touched_at") != nil,
            let program = try? environment.compile("\(watchable.name).touched_at")
        else { return .episode }
        return .value(program)
    }

    /// Texts as written: a change of layout alone is rare, and resetting a rule is safe.
    private func meaning(_ trigger: Rule.Trigger, _ zone: String) -> String {
        var digest = StableDigest()
        if let watchable = trigger.watchable { digest.add("watch", watchable.name) }
        if case .command(let word) = trigger { digest.add("command", word) }
        if let schedule = trigger.schedule {
            digest.add("schedule", schedule.text)
            // Of what triggers: the next slot is another one elsewhere.
            digest.add("timezone", zone)
        }
        for key in ["if", "for", "key"] {
            if case .scalar(let scalar) = fields[key]?.value.content { digest.add(key, scalar.text.trimmed) }
        }
        if case .mapping(let map) = fields["let"]?.value.content {
            for entry in map {
                if case .scalar(let scalar) = entry.value.content {
                    digest.add("let " + entry.key, scalar.text.trimmed)
                }
            }
        }
        return digest.text
    }
}

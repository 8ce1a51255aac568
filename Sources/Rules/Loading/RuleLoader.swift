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

    private static let identities: [Type] = [.string, .int, .uint, .bool, .timestamp]
    private static let identityWords = "a string, int, bool or timestamp"

    // MARK: - Keys

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
        if let enabled = fields["enabled"].flatMap(report.boolean), !enabled { return .off }
        return mode ?? context.defaults.mode
    }

    private func trigger() -> Rule.Trigger? {
        if let command = fields["command"] {
            let trigger = self.command(command)
            guard let other = fields["watch"] ?? fields["schedule"] else { return trigger }
            report.error("'\(other.key)' and 'command' in one rule: it has one trigger", at: other.keyRange)
            return nil
        }
        switch (fields["watch"], fields["schedule"]) {
        case (let watch?, nil): return watched(watch)
        case (nil, let schedule?): return self.schedule(schedule).map { .schedule($0) }
        case (let watch?, let schedule?):
            guard case .watch(let watchable)? = watched(watch) else {
                _ = self.schedule(schedule)
                return nil
            }
            guard watchable.hasSession, watchable.isCollection, watchable.name == "session" else {
                report.error("beside 'schedule' only 'watch: session' is possible", at: watch.value.range)
                return nil
            }
            return self.schedule(schedule).map { .sweep($0, watchable) }
        case (nil, nil):
            _ = fields.required("watch", " or 'schedule': when it runs")
        }
        return nil
    }

    private func watched(_ entry: YAMLEntry) -> Rule.Trigger? {
        let vocabulary = context.vocabulary
        return report.choice(entry, vocabulary.watchables.map(\.name)).flatMap(vocabulary.watchable).map { .watch($0) }
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

    /// What a misspelt `watch` was to be.
    private var likelyTrigger: Rule.Trigger? {
        guard case .scalar(let word) = fields["watch"]?.value.content else { return nil }
        if let watchable = context.vocabulary.watchable(word.text) { return .watch(watchable) }
        return NearMiss.best(of: context.vocabulary.watchables.map(\.name), for: word.text)
            .flatMap(context.vocabulary.watchable).map { .watch($0) }
    }

    private func schedule(_ entry: YAMLEntry) -> CronSchedule? {
        guard let text = report.text(entry, "a schedule such as \"0 9 * * 1-5\""),
            let scalar = report.scalar(entry, "a schedule")
        else { return nil }
        do throws(CronError) {
            return try CronSchedule(parsing: text)
        } catch {
            let map = ScalarMap(scalar, at: entry.value.range, in: report.source.bytes)
            report.error("'schedule': \(error.message)", at: map[error.range])
            return nil
        }
    }

    private func checkSlots(of schedule: CronSchedule, _ jitter: Duration, _ zone: String) {
        guard let entry = fields["schedule"] else { return }
        var slots: [Timestamp] = []
        while slots.count < 3, let next = schedule.next(after: slots.last ?? context.now, in: zone) {
            slots.append(next)
        }
        if let entry = fields["jitter"], slots.count > 1, jitter >= slots[1] - slots[0] {
            report.error("'jitter' has to be shorter than the time between two slots", at: entry.value.range)
        }
        if slots.isEmpty {
            report.error("'schedule': the clock of \(zone) skips every time that matches", at: entry.value.range)
        } else if schedule.matchesEitherDay {
            let clock = LocalClock.named(zone)
            let dates = slots.map { slot in
                CivilDate(daysSinceEpoch: Int(clock.local(slot.seconds).flooredQuotient(86_400))).text
            }
            report.warning(
                "'schedule' runs on days that match either the day of the month or the weekday, next on "
                    + dates.joined(separator: ", "), at: entry.value.range)
        }
    }

    /// Keys of the other trigger would have no effect.
    private func checkKeys(of trigger: Rule.Trigger) {
        let (own, others, wrong) =
            switch trigger {
            case .watch: ("watch", "'schedule'", Language.scheduleKeys)
            case .schedule: ("schedule", "'watch'", Language.watchKeys + Language.subjectKeys)
            case .sweep: ("schedule", "'watch' alone", Language.watchKeys)
            case .command:
                ("command", "'watch'", Language.watchKeys + Language.subjectKeys + Language.scheduleKeys)
            }
        for entry in fields.ordered where wrong.contains(entry.key) {
            let partner = Language.scheduleKeys.contains(entry.key) ? "'schedule'" : others
            report.error("'\(entry.key)' goes with \(partner), not with '\(own)'", at: entry.keyRange)
        }
    }

    // MARK: - Expressions

    private func environment(_ trigger: Rule.Trigger?, _ zone: String) -> Environment {
        var watched: [Vocabulary.Watchable] = []
        var hasSlot = false
        switch trigger {
        case .watch(let watchable): watched = [watchable]
        case .schedule: hasSlot = true
        case .sweep(_, let watchable): (watched, hasSlot) = ([watchable], true)
        // No word of it: what was meant may be any of them.
        case nil: (watched, hasSlot) = (context.vocabulary.watchables, true)
        case .command: break
        }
        var environment = Environment.rules(
            context.vocabulary, constants: context.constants.type, watching: watched, hasSlot: hasSlot, zone: zone)
        if fields.has("command") {
            environment.declare(
                "command", .object(CommandTrigger.type(session: context.vocabulary.watchable("session")?.type)))
        }
        return environment
    }

    /// The subject in the reading before; with `for` and `keep`, which look further back, it would mislead.
    private func declarePrevious(
        _ watchable: Vocabulary.Watchable?, _ trigger: Rule.Trigger?, _ expressions: inout ExpressionCompiler
    ) {
        guard case .watch? = trigger, let watchable else { return }
        if let entry = fields["for"] ?? fields["keep"] {
            expressions.hints.unavailable["previous"] =
                "'previous' and '\(entry.key)' do not go together: what differs from the reading before does so only once"
        } else {
            expressions.environment.declare("previous", .nullable(.object(watchable.type)))
        }
    }

    /// What is known only once a run has begun.
    private func declareStepVariables(
        _ watchable: Vocabulary.Watchable?, _ trigger: Rule.Trigger?, _ expressions: inout ExpressionCompiler
    ) {
        for name in Language.stepVariables { expressions.hints.unavailable[name] = nil }
        if case .watch? = trigger, let watchable {
            expressions.environment.declare("episode", .object(EpisodeFacts.type))
            expressions.environment.declare("fired", .object(watchable.type))
        } else {
            for name in ["episode", "fired"] {
                expressions.hints.unavailable[name] = "'\(name)' goes with 'watch': other rules have no episodes"
            }
        }
        if let session = context.vocabulary.watchable("session") {
            expressions.environment.declare("result", .nullable(.object(session.type)))
        }
    }

    private func bindings(_ expressions: inout ExpressionCompiler, subject: String?) -> [Rule.Binding] {
        var bindings: [Rule.Binding] = []
        for entry in fields["let"].flatMap({ $0.value.map(as: "'let'", report) }) ?? [] {
            guard entry.key.isVariableName, !Language.expressionWords.contains(entry.key) else {
                report.error("'\(entry.key)' is no name that an expression could use", at: entry.keyRange)
                continue
            }
            guard expressions.environment.slot(of: entry.key) == nil else {
                report.error("'\(entry.key)' has a meaning already", at: entry.keyRange)
                continue
            }
            let program = expressions.program(entry)
            // A name whose expression is wrong is still declared, or every use of it would be an error too.
            let slot = expressions.environment.declare(entry.key, program?.resultType ?? .dyn)
            guard let program else { continue }
            let readsSubject = program.references.contains { reference in
                reference.variable == subject || reference.variable == "previous"
                    || bindings.contains { $0.name == reference.variable && $0.readsSubject }
            }
            bindings.append(Rule.Binding(name: entry.key, slot: slot, program: program, readsSubject: readsSubject))
        }
        return bindings
    }

    private func once(_ entry: YAMLEntry, _ expressions: ExpressionCompiler) -> Rule.Once? {
        if case .scalar(let scalar) = entry.value.content, scalar.text == "episode" { return .episode }
        return expressions.program(entry, accepts: Self.identities, Self.identityWords).map { .value($0) }
    }

    private func group(_ entry: YAMLEntry, _ expressions: ExpressionCompiler) -> Rule.Grouping? {
        guard let fields = Fields(entry.value, of: "'group'", Language.group, report) else { return nil }
        let wait = fields["wait"].flatMap { report.duration($0, atMost: .seconds(86_400)) }
        let interval = fields["interval"].flatMap { report.duration($0, atMost: .seconds(86_400)) }
        let by = fields.required("by", ": an expression, such as session.repo").flatMap {
            expressions.program($0, accepts: Self.identities, Self.identityWords)
        }
        guard var group = by.map({ Rule.Grouping(by: $0) }) else { return nil }
        if let wait { group.wait = wait }
        if let interval { group.interval = interval }
        return group
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
            if case .write(let write) = step.action { write.session == nil } else { false }
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

/// FNV-1a, 64 bits: the same in every run and on every machine, which `Hasher` is not.
struct StableDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a pair in such a way that no other pairs run together into the same bytes.
    mutating func add(_ name: String, _ value: String) {
        for text in [name, value] {
            for byte in "\(text.utf8.count):\(text)".utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    var value: UInt64 { state }

    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

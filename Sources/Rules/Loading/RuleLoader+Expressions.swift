import CEL

/// What the expressions of a rule are read against, and the keys that are one.
extension RuleLoader {
    func environment(_ trigger: Rule.Trigger?, _ zone: String) -> Environment {
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
    func declarePrevious(
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
    func declareStepVariables(
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

    func bindings(_ expressions: inout ExpressionCompiler, subject: String?) -> [Rule.Binding] {
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

    func once(_ entry: YAMLEntry, _ expressions: ExpressionCompiler) -> Rule.Once? {
        if case .scalar(let scalar) = entry.value.content, scalar.text == "episode" { return .episode }
        return expressions.program(entry, accepts: Self.identities, Self.identityWords).map { .value($0) }
    }

    func group(_ entry: YAMLEntry, _ expressions: ExpressionCompiler) -> Rule.Grouping? {
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
}

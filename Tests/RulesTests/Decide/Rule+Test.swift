import CEL

@testable import Rules

extension Rule {
    /// A watch rule made of expressions, without a file around it.
    static func test(
        _ name: String = "r", if condition: String? = #"session.status == "failed""#, for hold: Duration = .zero,
        keep: Duration = .zero, repeat again: Rule.Repetition? = nil, suppress: String? = nil, key: String? = nil,
        once: String? = nil, existing: Existing = .run, mode: Mode = .live,
        limit: Limit = Limit(), do steps: [Step] = [.say("failed")], resolved: [Step] = [.say("over")],
        meaning: String = "1"
    ) throws -> Rule {
        var environment = Environment(options: .rules)
        environment.declare("now", .timestamp)
        environment.declare("health", .object(Scenario.health))
        environment.declare("vars", .object(Scenario.vars))
        environment.declare("session", .object(Scenario.session))
        environment.declare("previous", .nullable(.object(Scenario.session)))
        let watchable = Vocabulary.Watchable("session", Scenario.session, isCollection: true, hasSession: true)
        return Rule(
            name: name, position: SourcePosition(file: "test", line: 1, column: 1), description: nil, mode: mode,
            trigger: .watch(watchable), environment: environment, bindings: [],
            constants: Object(Scenario.vars, []), condition: try condition.map { try environment.compile($0) },
            holdFor: hold, keep: keep, again: again, suppress: suppress,
            key: try key.map { try environment.compile($0) },
            once: try once.map { .value(try environment.compile($0)) } ?? .episode, existing: existing, steps: steps,
            resolved: resolved, limit: limit, timeZone: "UTC", costs: nil, missed: .once, meaning: meaning)
    }
}

extension Rule {
    /// A schedule in UTC that posts when its condition on `health` holds.
    static func test(
        schedule: String, if condition: String? = nil, missed: CronSchedule.Missed = .once, meaning: String = "1",
        do steps: [Step] = [.say("slot")]
    ) throws -> Rule {
        var rule = try Rule.test(if: nil, do: steps, resolved: [], meaning: meaning)
        rule.trigger = .schedule(try CronSchedule(parsing: schedule))
        rule.condition = try condition.map { try rule.environment.compile($0) }
        rule.missed = missed
        return rule
    }
}

extension Rule {
    /// The same with what only steps may name, so that `steps` can be made of it.
    func withSteps(_ steps: (Environment) throws -> [Step], resolved: (Environment) throws -> [Step] = { _ in [] })
        throws
        -> Rule
    {
        var rule = self
        rule.environment.declare("episode", .object(EpisodeFacts.type))
        rule.environment.declare("fired", .object(Scenario.session))
        rule.environment.declare("result", .nullable(.object(Scenario.session)))
        rule.steps = try steps(rule.environment)
        rule.resolved = try resolved(rule.environment)
        return rule
    }
}

extension Environment.Options {
    static let rules: Self = {
        var options = Self()
        options.absence = true
        options.mixedComparisons = true
        options.clock = "now"
        return options
    }()
}

extension Step {
    private static let nowhere = SourcePosition(file: "test", line: 1, column: 1)

    static func say(_ text: String) -> Step {
        let template = Template(parts: [.markup(text)])
        let post = Post(target: .channels(["ops"]), text: template, title: nil, urgency: .normal)
        return Step(position: nowhere, action: .post(post))
    }

    /// Says the value of an expression, where another one holds.
    static func say(_ expression: String, if condition: String? = nil, in environment: Environment) throws -> Step {
        let template = Template(parts: [.expression(try environment.compile(expression))])
        let post = Post(target: .channels(["ops"]), text: template, title: nil, urgency: .normal)
        return Step(
            position: nowhere, action: .post(post), condition: try condition.map { try environment.compile($0) })
    }

    static func wait(_ duration: Duration) -> Step {
        Step(position: nowhere, action: .wait(duration))
    }

    static let hide = Step(position: nowhere, action: .write(Write(kind: .hide)))
}

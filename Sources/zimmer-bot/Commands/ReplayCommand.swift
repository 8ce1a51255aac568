import BotCore
import CEL
import Rules

enum ReplayCommand: Command {
    private static let config = Option.config.required
    private static let since = Option("since", "TIME", "from then on, or so long ago: 12h, 30d (default: 30d)")
    private static let until = Option("until", "TIME", "not later than this, or so long ago")
    private static let rule = Option("rule", "RULE", "only this rule")

    static let specification = CommandSpecification(
        "replay", "show what rules would have done with the polls of the past",
        discussion: """
            Runs a rules file, changed or not, over what a bot recorded, and lists every run that would have been started
            besides, every one that would not, and every one that would post or write something else. Works beside a running
            bot; sends nothing, reads no secret. The exit code is 2 when there is a difference.
            """,
        options: [config, since, until, rule],
        examples: [
            .init("replay -c rules.yaml --since 7d", "What a change of the rules would have changed in a week."),
            .init("replay -c rules.yaml --rule failed-session", "One rule."),
        ])

    private static let longest: Duration = .seconds(30 * 86_400)

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        // What is wrong with the line is said before anything is opened.
        _ = try span(arguments, now: context.now())
        let path = try arguments.required(config)
        let file = try Configuration(path: path, context: context).load()
        let recording = try Recording(try context.existingStateDirectory())
        // The past is told by Zimmer's clock, which may be another one than ours.
        let span = try span(arguments, now: try recording.lastDecision() ?? context.now())
        var replay = try Replay(file, over: recording, span)
        var bar = ProgressBar("replaying", on: context.output)
        defer { bar.end() }
        var report = try replay.run { bar.show($0) }
        if let rule = try arguments[rule] {
            guard report.rules.contains(where: { $0.rule == rule }) else {
                throw CommandFailure("there is no rule '\(rule)' in \(path), and none ran under that name")
            }
            report = report.about(rule)
        }
        bar.end()
        try context.output.write(context.isJSON ? report.json.text + "\n" : report.text(context.output.resultPalette))
        return report.hasDifferences ? .findings : .success
    }

    private static func span(_ arguments: ParsedArguments, now: Timestamp) throws -> Replay.Span {
        let span = Replay.Span(
            since: try time(try arguments[since], "--since", arguments, now: now) ?? now - longest,
            until: try time(try arguments[until], "--until", arguments, now: now) ?? now)
        guard span.since < span.until else { throw arguments.usageError("--until is not after --since") }
        return span
    }

    private static func time(
        _ text: String?, _ option: String, _ arguments: ParsedArguments, now: Timestamp
    ) throws -> Timestamp? {
        guard let text else { return nil }
        if let duration = Duration(ruleText: text) { return now - duration }
        do throws(EvaluationError) {
            return try Timestamp(parsing: text)
        } catch {
            throw arguments.usageError(
                "\(option): '\(text)' is neither a time (2026-10-09T12:00:00Z) nor a duration (12h, 30d)")
        }
    }
}

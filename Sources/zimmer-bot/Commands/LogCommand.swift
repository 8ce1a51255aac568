import AdapterKit
import BotCore
import CEL
import Rules

enum LogCommand: Command {
    private static let follow = Flag("follow", short: "f", "go on with what happens from now on")
    private static let rule = Option("rule", "RULE", "only of this rule")
    private static let session = Option("session", "ID", in: 1...Int.max, "only about this session")
    private static let since = Option("since", "TIME", "only after this time, or so long ago: 2h, 3d")

    static let specification = CommandSpecification(
        "log", "show what was decided and done, and why", options: [follow, rule, session, since],
        examples: [
            .init("log --since 1d", "The last day."),
            .init("log --follow --rule failed-session", "One rule, as it happens."),
        ])

    private static let interval: Duration = .milliseconds(500)

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        var filter = AuditStore.Filter()
        filter.rule = try arguments[rule]
        filter.session = try arguments[session].map(String.init)
        let beginning = try arguments[since].map { try start($0, arguments) }
        let reader = try StateReader(try context.existingStateDirectory())
        filter.since = beginning?(try reader.instant(context.now()))
        if let name = filter.rule { try look(for: name, in: reader, context) }
        while true {
            for entry in try reader.audit(filter) {
                try context.output.writeLine(context.isJSON ? entry.json.text : entry.line)
                filter.after = entry.id
            }
            guard arguments[follow] else { return .success }
            try await ContinuousClock().sleep(for: interval)
        }
    }

    /// Says where a rule has no line at all, and fails where nobody knows it.
    private static func look(for rule: String, in reader: StateReader, _ context: CommandContext) throws {
        guard try !reader.hasTrail(of: rule) else { return }
        let names = try reader.rules(now: context.now()).map(\.name)
        guard names.contains(rule) else {
            throw CommandFailure("the bot knows no rule '\(rule)'\(NearMiss.hint(NearMiss.best(of: names, for: rule)))")
        }
        context.output.report("nothing is written down about '\(rule)' yet\n")
    }

    /// When the lines begin that are asked for, told from now.
    private static func start(
        _ text: String, _ arguments: ParsedArguments
    ) throws -> @Sendable (Timestamp) -> Timestamp {
        if let duration = Duration(ruleText: text) { return { now in now - duration } }
        do throws(EvaluationError) {
            let time = try Timestamp(parsing: text)
            return { _ in time }
        } catch {
            throw arguments.usageError(
                "--since: '\(text)' is neither a time (2026-10-09T12:00:00Z) nor a duration (2h, 3d)")
        }
    }
}

extension AuditStore.Entry {
    fileprivate var line: String {
        let about = [rule, subject?.description, episode.map { "episode \($0)" }].compactMap { $0 }
        let head = ["\(at.wholeSeconds) \(kind)", about.joined(separator: ", ")].filter { !$0.isEmpty }
            .joined(separator: " ")
        return (detail.isEmpty ? head : "\(head): \(detail)").printableLine
    }

    fileprivate var json: JSONOutput {
        [
            "id": .integer(id), "at": "\(at)", "kind": .string(kind), "rule": .optional(rule),
            "subject": subject?.json ?? nil,
            "episode": episode.map { .integer(Int64($0)) } ?? nil, "detail": .string(detail),
            "values": evidence.map(JSONOutput.verbatim) ?? nil,
        ]
    }
}

import AdapterKit
import BotCore
import CEL
import Rules

enum PlanCommand: Command {
    private static let config = Option.config.required
    private static let exitCode = Flag("exit-code", "exit with 2 if something would be done")

    static let specification = CommandSpecification(
        "plan", "show what would be done now",
        discussion: """
            Reads Zimmer once and decides, beside a running bot too. Nothing is sent and no state is written.
            What is held is shown with the reason.
            """,
        options: [config, exitCode],
        examples: [.init("plan -c rules.yaml", "What 'run' would do at its next poll.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let configuration = Configuration(path: try arguments.required(config), context: context)
        let environment = BotEnvironment(
            version: programVersion, log: TerminalLog(output: context.output, least: .error))
        let file = try configuration.loadToRun(RuleFileSources(configuration.path))
        let assembly = try configuration.assemble(file, environment)
        let directory = try context.existingStateDirectory()
        let bot = try Bot(assembly, at: .copy(of: directory), environment: environment)
        let plan = await bot.plan(assembly)
        if context.isJSON {
            try context.output.writeLine(plan.json.text)
        } else {
            try context.output.write(plan.text)
        }
        if let problem = plan.problem { throw CommandFailure(problem) }
        return arguments[exitCode] && !plan.steps.isEmpty ? .findings : .success
    }
}

extension Plan {
    fileprivate var text: String {
        var lines = steps.map { "\($0.rule) \($0.subject): \($0.what)".printableLine }
        lines += held.map { "held: \($0.rule) \($0.subject): \($0.reason)".printableLine }
        // Where not all was read, nothing is known of the rest.
        if lines.isEmpty, problem == nil { lines.append("nothing to do") }
        return lines.map { $0 + "\n" }.joined()
    }

    fileprivate var json: JSONOutput {
        [
            "would": .array(
                steps.map { ["rule": .string($0.rule), "subject": $0.subject.json, "what": .string($0.what)] }),
            "held": .array(
                held.map { ["rule": .string($0.rule), "subject": $0.subject.json, "reason": .string($0.reason)] }),
        ]
    }
}

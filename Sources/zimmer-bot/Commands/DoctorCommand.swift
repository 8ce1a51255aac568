import AdapterKit
import BotCore
import CEL
import Rules

enum DoctorCommand: Command {
    private static let config = Option.config.required

    static let specification = CommandSpecification(
        "doctor", "look whether the bot can do its work",
        discussion: """
            Reaches Zimmer and every channel, says what the credentials open and what 'run' would refuse, and looks at a
            person's sign-in, clocks, secrets and the state directory, beside a running bot too. Nothing is written, no
            token is used up, and nothing is said in a channel. The exit code is 1 when there is a problem.
            """,
        options: [config],
        examples: [.init("doctor -c rules.yaml", "Before the first start, and when something is wrong.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let configuration = Configuration(path: try arguments.required(config), context: context)
        let file = try configuration.load()
        let environment = BotEnvironment(
            version: programVersion, log: TerminalLog(output: context.output, least: .error))
        let doctor = Doctor(
            file, environment: environment, secrets: configuration.secrets,
            channels: Configuration.factory(context.story), directory: try context.existingStateDirectory(),
            refusals: configuration.refusals(of: file, environment))
        let findings = await doctor.findings()
        if context.isJSON {
            try context.output.writeLine(JSONOutput.array(findings.map(\.json)).text)
        } else {
            try context.output.write(findings.map { $0.text(context.output.resultPalette) }.joined())
        }
        return findings.contains { $0.grade == .problem } ? .failure : .success
    }
}

extension Finding {
    fileprivate func text(_ palette: Palette) -> String {
        let line = "\(grade.rawValue): \(area): \(text)".printableLine + "\n"
        return advice.map { line + palette.faint("    \($0.printableLine)") + "\n" } ?? line
    }

    fileprivate var json: JSONOutput {
        [
            "area": .string(area), "grade": .string(grade.rawValue), "text": .string(text), "advice": .optional(advice),
        ]
    }
}

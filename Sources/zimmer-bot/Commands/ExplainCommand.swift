import AdapterKit
import BotCore
import CEL
import Rules

enum ExplainCommand: Command {
    private static let target = Positional.required("RULE", "a rule, or the id of an action as 'log' shows it")
    private static let subject = Positional.optional(
        "SUBJECT", "what the rule watches: 7, session:7, health, a channel")
    private static let id = Positional.optional("ID", "with SUBJECT as two words: session 7")

    static let specification = CommandSpecification(
        "explain", "show why a rule does what it does, or what became of an action",
        discussion: """
            For a rule, reads Zimmer once and decides, beside a running bot too; nothing is sent and no state is written.
            Without SUBJECT: what is going on, what is one clause away, and which clause keeps the rest away. For an
            action (act_17, dlv_...) the state directory says it all, and -c is not needed.
            """,
        positionals: [target, subject, id], options: [Option.config],
        examples: [
            .init("explain -c rules.yaml failed-session 7", "Each clause with what it read, and what is in the way."),
            .init("explain -c rules.yaml failed-session", "Everything that the rule watches."),
            .init("explain act_17", "The whole story of one write."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let name = arguments[target]
        guard let action = ActionID(name) else { return try await explain(rule: name, arguments, in: context) }
        guard arguments[subject] == nil else { throw arguments.usageError("an action has no SUBJECT") }
        guard let story = try StateReader(try context.existingStateDirectory()).story(of: action) else {
            throw CommandFailure("there is no action '\(name)': it never was, or is older than what is kept")
        }
        if context.isJSON {
            try context.output.writeLine(story.json.text)
        } else {
            try context.output.write(story.text(context.output.resultPalette))
        }
        return .success
    }

    private static func explain(
        rule name: String, _ arguments: ParsedArguments, in context: CommandContext
    ) async throws -> ExitCode {
        let configuration = Configuration(path: try arguments.required(Option.config), context: context)
        let environment = BotEnvironment(
            version: programVersion, log: TerminalLog(output: context.output, least: .error))
        let file = try configuration.load()
        guard file.rules.contains(where: { $0.name == name }) else {
            let hint = NearMiss.hint(NearMiss.best(of: file.rules.map(\.name), for: name))
            throw CommandFailure("there is no rule '\(name)' in \(configuration.path)\(hint)")
        }
        let assembly = try configuration.assemble(file, environment)
        guard let prepared = assembly.rules.rule(name) else { throw CommandFailure("there is no rule '\(name)'") }
        let directory = try context.existingStateDirectory()
        // A bot that never ran has nothing to tell; what is wrong with its state the next line says.
        let reader = try? StateReader(directory)
        let bot = try Bot(assembly, at: .copy(of: directory), environment: environment)
        let standing = try reader?.standing() ?? BotStanding()
        let words = [arguments[subject], arguments[id]].compactMap(\.self)
        let wanted = words.isEmpty ? nil : words.joined(separator: " ")
        let explained = try await bot.explain(assembly, prepared, wanted, standing)
        try print(explained, try History(of: explained, reader), in: context)
        if !context.isJSON { try context.printClockNote(of: reader) }
        if let problem = await bot.readingProblem { throw CommandFailure(problem) }
        return .success
    }

    /// What the state directory has of a rule's past.
    struct History {
        var runs: [Story.Run] = []
        var waiting: [Story.Post] = []
        var missed: (slot: String, reason: String)?

        init() {}

        fileprivate init(of explained: Explained, _ reader: StateReader?) throws {
            guard let reader else { return }
            let (rule, subject): (String, SubjectID?) =
                switch explained {
                case .one(let explanation): (explanation.rule, explanation.subject)
                case .all(let overview): (overview.rule, nil)
                }
            runs = try reader.runs(of: rule, subject, limit: 5)
            waiting = try reader.waiting(of: rule, subject)
            missed = try reader.lastMissed(of: rule)
        }
    }

    private static func print(_ explained: Explained, _ history: History, in context: CommandContext) throws {
        let palette = context.output.resultPalette
        switch explained {
        case .one(let explanation) where context.isJSON:
            try context.output.writeLine(explanation.json(history).text)
        case .one(let explanation): try context.output.write(explanation.text(history, palette))
        case .all(let overview) where context.isJSON: try context.output.writeLine(overview.json(history).text)
        case .all(let overview): try context.output.write(overview.text(history, palette))
        }
    }
}

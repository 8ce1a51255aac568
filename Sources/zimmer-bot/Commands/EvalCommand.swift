import AdapterKit
import BotCore
import CEL
import Rules

enum EvalCommand: Command {
    private static let expression = Positional.optional("EXPRESSION", "a CEL expression; one argument: quote it")
    private static let subject = Positional.optional("ID", "the session, with --watch session")
    private static let bindings = Option(
        "bindings", "FILE",
        "JSON object of variables, each with a tagged value: {\"x\": {\"t\": \"int\", \"v\": \"2\"}}")
    private static let functions = Flag("functions", "list the functions instead")
    private static let trace = Flag("trace", "say on standard error what each part came to")
    private static let watch = Option(
        "watch", "KIND", "with -c: what a rule would watch: session ID, health, costs or zimmer")

    static let specification = CommandSpecification(
        "eval", "evaluate one CEL expression",
        discussion: """
            Prints the value and its type; with --json the tagged value. Without -c the environment is standard CEL
            with its extensions, without the options and variables of rules. With -c it is that of the file's rules,
            and what the expression names is read from Zimmer.
            """,
        positionals: [expression, subject], options: [Option.config, bindings, watch, trace, functions],
        examples: [
            .init("eval '[1, 2, 3].filter(x, x > 1)'", "A list of int."),
            .init("eval 'name.startsWith(\"a\")' --bindings values.json", "With variables of your own."),
            .init("eval -c rules.yaml 'session.pr.ci' --watch session 1234", "A field, as rules see it now."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let config = try arguments[Option.config]
        if arguments[functions] { return try listFunctions(of: config == nil ? Environment() : .ofRules, in: context) }
        guard let source = arguments[expression] else { throw arguments.usageError("EXPRESSION is missing") }
        if let config {
            guard try arguments[bindings] == nil else { throw arguments.usageError("--bindings does not go with -c") }
            let configuration = Configuration(path: config, context: context)
            return try await evaluate(
                source, by: configuration, try Subject(arguments), traced: arguments[trace], in: context)
        }
        guard try arguments[watch] == nil else { throw arguments.usageError("--watch goes with -c") }
        guard arguments[subject] == nil else {
            throw arguments.usageError("one EXPRESSION is wanted; put it in quotes")
        }
        var environment = Environment()
        let values = try arguments[bindings].map(readBindings) ?? [:]
        for (name, value) in values { environment.declare(name, value.runtimeType) }
        guard let program = compile(source, environment, traced: arguments[trace], in: context) else { return .failure }
        var activation = Activation(environment)
        for (name, value) in values {
            if let slot = environment.slot(of: name) { activation[slot] = value }
        }
        return try evaluate(program, activation, traced: arguments[trace], in: context)
    }

    /// What `--watch` binds.
    private struct Subject {
        var watchable: Vocabulary.Watchable?
        var id: Int64?

        init(_ arguments: ParsedArguments) throws {
            let text = arguments[subject]
            guard let kind = try arguments[watch] else {
                guard text == nil else { throw arguments.usageError("one EXPRESSION is wanted; put it in quotes") }
                return
            }
            guard let watchable = Vocabulary.zimmer.watchable(kind) else {
                let known = Vocabulary.zimmer.watchables.map(\.name).joined(separator: ", ")
                throw arguments.usageError("--watch: '\(kind)' is none of \(known)")
            }
            self.watchable = watchable
            guard watchable.isCollection else {
                guard text == nil else { throw arguments.usageError("--watch \(kind) takes no ID") }
                return
            }
            guard let id = text.flatMap({ Int64($0) }) else {
                throw arguments.usageError("--watch \(kind) needs the ID of one, a number")
            }
            self.id = id
        }
    }

    private static func evaluate(
        _ source: String, by configuration: Configuration, _ subject: Subject, traced: Bool, in context: CommandContext
    ) async throws -> ExitCode {
        let file = try configuration.load()
        let environment = Environment.rules(
            .zimmer, constants: file.constants.type, watching: subject.watchable.map { [$0] } ?? [], zone: file.timeZone
        )
        guard let program = compile(source, environment, traced: traced, in: context) else { return .failure }
        let bot = BotEnvironment(version: programVersion, log: TerminalLog(output: context.output))
        var glance = Glance(try configuration.assemble(file, bot), clock: bot.clock)
        let activation = try await glance.activation(
            of: environment, naming: Set(program.references), watching: subject.watchable, id: subject.id)
        return try evaluate(program, activation, traced: traced, in: context)
    }

    /// Nil when it is no expression; what is wrong has been reported.
    private static func compile(
        _ source: String, _ environment: Environment, traced: Bool, in context: CommandContext
    ) -> Program? {
        do {
            let program = try environment.compile(source, traced: traced)
            context.report(program.warnings, in: source)
            return program
        } catch {
            context.report(error.issues, in: source)
            return nil
        }
    }

    private static func evaluate(
        _ program: Program, _ activation: Activation, traced: Bool, in context: CommandContext
    ) throws -> ExitCode {
        guard traced else { return try print(program.evaluate(activation), of: program, in: context) }
        let trace = program.trace(activation)
        context.output.report(trace.text(of: program.source, context.output.diagnosticPalette))
        return try print(trace.root.value, of: program, in: context)
    }

    private static func print(_ value: Value, of program: Program, in context: CommandContext) throws -> ExitCode {
        if case .error(let error) = value {
            let range = error.range ?? 0..<program.source.utf8.count
            context.report([CompilationIssue(.error, error.message, at: range)], in: program.source)
            return .failure
        }
        guard !context.isJSON else {
            try context.output.writeLine(value.taggedJSON)
            return .success
        }
        let type = program.resultType == .dyn ? value.runtimeType : program.resultType
        let palette = context.output.resultPalette
        try context.output.writeLine("\(value.text.printableText)  \(palette.faint("(\(type))"))")
        return .success
    }

    private static func readBindings(_ path: String) throws(CommandFailure) -> [String: Value] {
        do {
            return try [String: Value](taggedJSON: try InputFile.read(path, atMost: 16 << 20))
        } catch let failure as InputFile.Failure {
            throw CommandFailure("cannot read \(path): \(failure.reason)")
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }

    private static func listFunctions(of environment: Environment, in context: CommandContext) throws -> ExitCode {
        let functions = environment.functionList
        guard !context.isJSON else {
            let entries = functions.map { function -> JSONOutput in
                [
                    "name": .string(function.name), "signatures": .array(function.signatures.map(JSONOutput.string)),
                    "documentation": .string(function.documentation),
                ]
            }
            try context.output.writeLine(JSONOutput.array(entries).text)
            return .success
        }
        let palette = context.output.resultPalette
        for function in functions {
            let signatures = function.signatures.map { "\n    " + palette.faint($0) }.joined()
            try context.output.writeLine("\(palette.strong(function.name))  \(function.documentation)\(signatures)")
        }
        return .success
    }
}

extension Environment {
    /// What rules may call, whatever file they are in.
    fileprivate static var ofRules: Environment {
        .rules(.zimmer, constants: ObjectType("vars", []), zone: "UTC")
    }
}

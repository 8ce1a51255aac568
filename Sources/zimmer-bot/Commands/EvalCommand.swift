import AdapterKit
import CEL
import Rules

enum EvalCommand: Command {
    private static let expression = Positional.optional("EXPRESSION", "a CEL expression; one argument: quote it")
    private static let bindings = Option(
        "bindings", "FILE",
        "JSON object of variables, each with a tagged value: {\"x\": {\"t\": \"int\", \"v\": \"2\"}}")
    private static let functions = Flag("functions", "list the functions instead")

    static let specification = CommandSpecification(
        "eval", "evaluate one CEL expression",
        discussion: """
            Prints the value and its type; with --json the tagged value. The environment is standard CEL with its
            extensions, without the options and variables of rules.
            """,
        positionals: [expression], options: [bindings, functions],
        examples: [
            .init("eval '[1, 2, 3].filter(x, x > 1)'", "A list of int."),
            .init("eval 'name.startsWith(\"a\")' --bindings values.json", "With variables of your own."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        if arguments[functions] { return try listFunctions(in: context) }
        guard let source = arguments[expression] else { throw arguments.usageError("EXPRESSION is missing") }

        var environment = Environment()
        let values = try arguments[bindings].map(readBindings) ?? [:]
        for (name, value) in values { environment.declare(name, value.runtimeType) }
        var activation = Activation(environment)
        for (name, value) in values {
            if let slot = environment.slot(of: name) { activation[slot] = value }
        }

        let program: Program
        do {
            program = try environment.compile(source)
        } catch {
            context.report(error.issues, in: source)
            return .failure
        }
        context.report(program.warnings, in: source)
        return try print(program.evaluate(activation), of: program, in: context)
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
            return try [String: Value](taggedJSON: try InputFile.read(path))
        } catch let failure as InputFile.Failure {
            throw CommandFailure("cannot read \(path): \(failure.reason)")
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }

    private static func listFunctions(in context: CommandContext) throws -> ExitCode {
        let functions = Environment().functionList
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

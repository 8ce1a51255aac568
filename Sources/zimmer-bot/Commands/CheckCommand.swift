import BotCore
import Rules

enum CheckCommand: Command {
    private static let files = Positional.oneOrMore("FILE", "rules files; - is standard input")
    private static let strict = Flag("strict", "count warnings as errors")

    static let specification = CommandSpecification(
        "check", "report every mistake in rules files",
        discussion: """
            Errors are printed as compilers print them, all in one pass. The exit code is 2 when there is an error,
            0 when there are only warnings. Secrets are not needed: a missing one is a warning.
            """,
        positionals: [files], options: [strict],
        examples: [.init("check rules.yaml", "Every problem with its line and what was probably meant.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        var all: [RuleDiagnostic] = []
        for path in arguments[files] {
            let configuration = Configuration(path: path, context: context)
            let (file, found) = configuration.read()
            let diagnostics = found + (file.map { configuration.channelDiagnostics(of: $0, secret: .warning) } ?? [])
            all += diagnostics
            guard !context.isJSON else { continue }
            for diagnostic in diagnostics { context.output.report(diagnostic.text(context.output.diagnosticPalette)) }
            try context.output.writeLine("\(path): \(summary(file, diagnostics))")
        }
        if context.isJSON { try context.output.writeLine(JSONOutput.array(all.map(\.json)).text) }
        let hasFailed = arguments[strict] ? !all.isEmpty : all.hasErrors
        return hasFailed ? .findings : .success
    }

    /// `2 errors, 1 warning`, or what the rules may do: the gate in front of Zimmer lets nothing else through.
    private static func summary(_ file: RuleFile?, _ diagnostics: [RuleDiagnostic]) -> String {
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        var parts: [String] = []
        if let file {
            let writes = RuleSet(file.rules).calls.subtracting(ZimmerCall.reads).map(\.rawValue).sorted()
            parts.append(counted(file.rules.count, "rule"))
            parts.append(writes.isEmpty ? "no writes to Zimmer" : "may write: \(writes.joined(separator: ", "))")
        }
        if errors > 0 { parts.append(counted(errors, "error")) }
        if warnings > 0 { parts.append(counted(warnings, "warning")) }
        return parts.joined(separator: "; ")
    }

    private static func counted(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }
}

extension RuleDiagnostic {
    var json: JSONOutput {
        [
            "severity": .string(severity.rawValue), "message": .string(message), "file": .string(position.file),
            "line": .integer(Int64(position.line)), "column": .integer(Int64(position.column)),
            "length": .integer(Int64(length)), "suggestion": suggestion.map(JSONOutput.string) ?? .null,
        ]
    }
}

import BotCore
import Foundation
import Rules

enum TestCommand: Command {
    private static let files = Positional.oneOrMore("FILE", "files of tests; - is standard input")
    private static let filter = Option("filter", "TEXT", "only the tests whose name contains this")

    static let specification = CommandSpecification(
        "test", "test rules against written scenarios",
        discussion: """
            Plays what a file of tests says is read, on a clock of its own, and compares what the rules do with what
            is expected. Needs no server and no secrets, sends nothing. The exit code is 2 when a test failed or a
            file has an error. docs/testing-rules.md explains the files.
            """,
        positionals: [files], options: [filter],
        examples: [
            .init("test rules.test.yaml", "Every test of a file."),
            .init("test tests/*.yaml --filter merge", "Some of the tests of many."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        let filter = try arguments[filter]
        var report = ScenarioReport()
        for path in arguments[files] {
            let (file, diagnostics) = read(path, in: context)
            report.diagnostics += diagnostics
            if !context.isJSON {
                for diagnostic in diagnostics {
                    context.output.report(diagnostic.text(context.output.diagnosticPalette))
                }
            }
            guard let file else {
                report.brokenFiles += 1
                continue
            }
            for test in file.tests where filter.map(test.name.contains) ?? true {
                let result = ScenarioRun.run(test, rules: file.rules)
                report.results.append((path, result))
                if !context.isJSON { try context.output.write(result.text(context.output.resultPalette)) }
            }
        }
        if let filter, report.results.isEmpty, report.brokenFiles == 0 {
            throw CommandFailure("no test has '\(filter)' in its name")
        }
        try context.output.writeLine(context.isJSON ? report.json.text : report.summary)
        return report.hasPassed ? .success : .findings
    }

    /// The file, nil where it or its rules have errors. Of rules only errors are said: `check` has the rest.
    private static func read(
        _ path: String, in context: CommandContext
    ) -> (file: ScenarioFile?, diagnostics: [RuleDiagnostic]) {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.read(path, atMost: RuleFile.maximumBytes)
        } catch {
            let start = SourcePosition(file: path, line: 1, column: 1)
            return (nil, [RuleDiagnostic(.error, "the file cannot be read: \(error.reason)", at: start)])
        }
        let folder =
            path == "-" ? "" : URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().relativePath
        var known: [String: RuleFile?] = [:]
        var found: [RuleDiagnostic] = []
        let (file, diagnostics) = ScenarioFile.load(bytes, file: path, words: .zimmer) { name in
            let path = place(of: name, in: folder)
            if let file = known[path] { return file }
            let (file, diagnostics) = Configuration(path: path, context: context).read()
            known[path] = .some(file)
            if file == nil { found += diagnostics.filter { $0.severity == .error } }
            return file
        }
        return (file, found + diagnostics)
    }

    /// A path that a file of tests names, as the shell that named that file would.
    private static func place(of name: String, in folder: String) -> String {
        name.hasPrefix("/") || folder.isEmpty || folder == "." ? name : "\(folder)/\(name)"
    }
}

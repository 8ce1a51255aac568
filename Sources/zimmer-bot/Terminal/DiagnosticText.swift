import AdapterKit
import CEL
import Rules

extension RuleDiagnostic {
    /// The diagnostic as compilers print it, its severity and caret in colour.
    func text(_ palette: Palette) -> String {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = "\(position): "
        let word = "\(severity.rawValue):"
        let head = lines[0].dropFirst(place.count + word.count)
        let paint = severity == .error ? palette.error : palette.warning
        let rest = lines.dropFirst().enumerated().map { $0 == 1 ? palette.good($1) : $1 }
        return ([place.printableLine + paint(word) + String(head).printableLine] + rest.map(\.printableText))
            .joined(separator: "\n") + "\n"
    }
}

extension CommandContext {
    /// Prints what is wrong with an expression of the command line.
    func report(_ issues: [CompilationIssue], in source: String) {
        for diagnostic in issues.diagnostics(of: source) { output.report(diagnostic.text(output.diagnosticPalette)) }
    }
}

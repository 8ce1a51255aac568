/// Everything a command says about its command line. Parsing, help, near misses and usage errors all come from here.
struct CommandSpecification: Sendable {
    let name: String
    /// What it does, for the list of commands: no capital, no full stop.
    let summary: String
    /// More than fits there, as paragraphs of the help.
    let discussion: String
    let positionals: [PositionalSpecification]
    let options: [OptionSpecification]
    /// Whole command lines without the program's name, each with what it shows.
    let examples: [Example]

    struct Example: Sendable {
        let arguments: String
        let explanation: String

        init(_ arguments: String, _ explanation: String) {
            self.arguments = arguments
            self.explanation = explanation
        }
    }

    /// - Parameters:
    ///   - positionals: of these only the last ones may be optional, and only the last may be repeated.
    ///   - options: its own; those that all commands have are added.
    init(
        _ name: String, _ summary: String, discussion: String = "", positionals: [any PositionalArgument] = [],
        options: [any CommandOption] = [], examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals.map(\.specification)
        self.options = options.map(\.specification)
        self.examples = examples
    }

    var allOptions: [OptionSpecification] { options + CommonOptions.all }

    /// `send -c FILE CHANNEL TEXT`: what the help and a usage error show.
    var usage: String {
        let words = [name] + options.map(\.usage) + positionals.map(\.usage)
        return words.joined(separator: " ")
    }
}

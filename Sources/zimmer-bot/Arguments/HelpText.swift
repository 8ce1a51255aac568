/// The help of the program and of its commands, from their declarations.
enum HelpText {
    static func program() -> String {
        """
        zimmer-bot \(programVersion): watches Zimmer, decides by your rules, tells people and acts.

        usage: zimmer-bot COMMAND [options]

        Commands:
        \(list(CommandRegistry.commands.map { ($0.specification.name, $0.specification.summary) }))

        Options of every command:
        \(list(CommonOptions.all.map { ($0.heading, $0.help) } + [("--", "ends the options")]))

        Exit codes:
        \(list(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }))

        'zimmer-bot COMMAND -h' says more about a command.

        """
    }

    static func command(_ command: CommandSpecification) -> String {
        var parts = ["\(command.name): \(command.summary)", "usage: zimmer-bot \(command.usage)"]
        if !command.discussion.isEmpty { parts.append(command.discussion) }
        if !command.positionals.isEmpty {
            parts.append("Arguments:\n" + list(command.positionals.map { ($0.name, $0.help) }))
        }
        if !command.options.isEmpty {
            parts.append("Options:\n" + list(command.options.map { ($0.heading, $0.help) }))
        }
        parts.append("Options of every command:\n" + list(CommonOptions.all.map { ($0.heading, $0.help) }))
        if !command.examples.isEmpty {
            let lines = command.examples.map { "  zimmer-bot \($0.arguments)\n      \($0.explanation)" }
            parts.append("Examples:\n" + lines.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// Names in one column, what they mean in another.
    private static func list(_ entries: [(name: String, meaning: String)]) -> String {
        let width = entries.map(\.name.count).max() ?? 0
        return entries.map { entry in
            let padding = String(repeating: " ", count: width - entry.name.count)
            return "  \(entry.name)\(padding)  \(entry.meaning)"
        }.joined(separator: "\n")
    }
}

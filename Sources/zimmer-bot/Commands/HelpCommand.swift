enum HelpCommand: Command {
    private static let name = Positional.optional("COMMAND", "the command to explain; without it, the program")

    static let specification = CommandSpecification(
        "help", "show the help of the program or of a command", positionals: [name],
        examples: [.init("help schedule", "The same as zimmer-bot schedule -h.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        let command = try arguments[name].map { name throws(UsageError) in try CommandRegistry.find(name) }
        try context.output.write(command.map { HelpText.command($0.specification) } ?? HelpText.program())
        return .success
    }
}

enum PauseCommand: Command {
    private static let rule = Positional.required("RULE", "the rule's name")
    private static let length = Positional.optional("FOR", "for how long, such as 2h; without it until 'resume'")

    static let specification = CommandSpecification(
        "pause", "let a rule rest",
        discussion: """
            Nothing of a paused rule is decided or written: its timers stand still, its slots pass. What it has put into
            the outbox already still goes.
            """,
        positionals: [rule, length],
        examples: [.init("pause snooze-stale 2h", "It goes on by itself after two hours.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let text = arguments[length]
        if let text, try Duration(argument: text, arguments) <= .zero {
            throw arguments.usageError("'FOR' is more than nothing")
        }
        return try await Wish("pause", [arguments[rule], text]).submit(in: context)
    }
}

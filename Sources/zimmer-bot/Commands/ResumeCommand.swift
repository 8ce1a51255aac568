enum ResumeCommand: Command {
    private static let rule = Positional.required("RULE", "the rule's name")

    static let specification = CommandSpecification(
        "resume", "let a paused rule go on",
        discussion: "Its timers go on where they stood.",
        positionals: [rule],
        examples: [.init("resume snooze-stale", "It is decided again at the next poll.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        try await Wish("resume", [arguments[rule]]).submit(in: context)
    }
}

enum ReleaseCommand: Command {
    private static let rule = Positional.required("RULE", "the rule's name, or the id of a message that was given up")

    static let specification = CommandSpecification(
        "release", "let a rule do what is held",
        discussion: """
            A new rule that would write to many subjects at once is held until a person has seen the list. The wish
            is handed to the running bot through its state directory. A message that a channel refused is sent again
            by its id, which 'status' and 'log' show.
            """,
        positionals: [rule],
        examples: [
            .init("release snooze-stale", "Its writes go on at the next poll."),
            .init("release dlv_2s0k1w17", "That message goes out again."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        try await Wish("release", [arguments[rule]]).submit(in: context)
    }
}

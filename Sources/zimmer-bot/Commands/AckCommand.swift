import Rules

enum AckCommand: Command {
    private static let rule = Positional.optional("RULE", "the rule's name; without it all rules")
    private static let subject = Positional.optional(
        "SUBJECT", "such as 7 or session:7; without it all that it is active for")

    static let specification = CommandSpecification(
        "ack", "say that somebody has it in hand",
        discussion: """
            While the episode lasts nothing more of it is waited for or repeated; 'resolved' still runs at its end.
            """,
        positionals: [rule, subject],
        examples: [
            .init("ack failed-session 7", "Nobody is called for session 7 in a quarter of an hour."),
            .init("ack", "The same for all that is active."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let text = arguments[subject]
        if let text, SubjectID(spelled: text) == nil { throw arguments.usageError("'\(text)' is no subject") }
        return try await Wish("ack", [arguments[rule], text]).submit(in: context)
    }
}

enum MuteCommand: Command {
    private static let length = Positional.required("FOR", "for how long, such as 2h; 0s ends it")

    static let specification = CommandSpecification(
        "mute", "hold messages for a while",
        discussion: """
            As in quiet hours messages wait, and go as one per channel at the end; urgent ones go at once. What the rules
            write goes on.
            """,
        positionals: [length],
        examples: [.init("mute 2h", "Silence for two hours."), .init("mute 0s", "What waits goes now.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let text = arguments[length]
        _ = try Duration(argument: text, arguments)
        return try await Wish("mute", [text]).submit(in: context)
    }
}

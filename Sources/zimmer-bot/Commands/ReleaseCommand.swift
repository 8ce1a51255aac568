import BotCore

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

    /// A running bot looks every half second; one that is busy with a large board takes longer.
    private static let patience = 20
    private static let interval: Duration = .milliseconds(500)

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let commander = try StateCommander(try context.existingStateDirectory())
        let request = try commander.submit("release", arguments[rule], now: context.now())
        for _ in 0..<patience {
            try await ContinuousClock().sleep(for: interval)
            guard let answer = try commander.answer(to: request) else { continue }
            try context.print(answer.text, isAnswer: true, isDone: answer.isDone)
            return answer.isDone ? .success : .failure
        }
        try context.print("no bot answered yet; it takes this up when it runs", isAnswer: false, isDone: false)
        return .success
    }
}

extension CommandContext {
    fileprivate func print(_ message: String, isAnswer: Bool, isDone: Bool) throws {
        let json: JSONOutput = ["answered": .bool(isAnswer), "done": .bool(isDone), "message": .string(message)]
        try output.writeLine(isJSON ? json.text : message)
    }
}

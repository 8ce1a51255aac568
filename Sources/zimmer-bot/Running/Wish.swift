import BotCore

/// What a command asks of the running bot, through its state directory.
struct Wish {
    let command: String
    /// Words without blanks in them.
    let words: [String]

    /// A running bot looks every half second; one that is busy with a large board takes longer.
    private static let patience = 20
    private static let interval: Duration = .milliseconds(500)

    /// Its answer says until when.
    private var hasTimes: Bool { command == "pause" || command == "mute" }

    init(_ command: String, _ words: [String?]) {
        self.command = command
        self.words = words.compactMap(\.self)
    }

    /// Hands it over, waits for the answer and prints that. Without a bot the wish stays, for when there is one.
    func submit(in context: CommandContext) async throws -> ExitCode {
        if let word = words.first(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) {
            throw CommandFailure("'\(word)' is no name")
        }
        let directory = try context.existingStateDirectory()
        let commander = try StateCommander(directory)
        let request = try commander.submit(
            command, words.joined(separator: " "), by: context.person, now: context.now())
        for _ in 0..<Self.patience {
            try await ContinuousClock().sleep(for: Self.interval)
            guard let answer = try commander.answer(to: request) else { continue }
            try context.print(answer.text, isAnswer: true, isDone: answer.isDone)
            if hasTimes, answer.isDone, !context.isJSON {
                try context.printClockNote(of: try StateReader(directory))
            }
            return answer.isDone ? .success : .failure
        }
        try context.print("no bot answered yet; it takes this up when it runs", isAnswer: false, isDone: false)
        return .success
    }
}

extension CommandContext {
    /// Who asks, as far as the system knows.
    fileprivate var person: String {
        ["LOGNAME", "USER"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "somebody"
    }

    fileprivate func print(_ message: String, isAnswer: Bool, isDone: Bool) throws {
        let json: JSONOutput = ["answered": .bool(isAnswer), "done": .bool(isDone), "message": .string(message)]
        try output.writeLine(isJSON ? json.text : message)
    }
}

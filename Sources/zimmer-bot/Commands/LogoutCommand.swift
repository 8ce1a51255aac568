import BotCore
import Rules

enum LogoutCommand: Command {
    private static let forget = Flag("forget", "remove the sign-in from this machine without telling Zimmer")

    static let specification = CommandSpecification(
        "logout", "end the sign-in of a person",
        discussion: """
            Ends it in Zimmer and removes it from the state directory. The rules file is needed where the way to Zimmer needs
            its 'edge_token' or 'ca_file'. The bot must not run meanwhile.
            """,
        options: [Option.config, forget],
        examples: [.init("logout -c rules.yaml", "Nothing is done as a person from then on.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let directory = try context.stateDirectory()
        let lock = try context.lockForSignIn(directory)
        defer { withExtendedLifetime(lock) {} }
        if arguments[forget] {
            try SignInDesk.forget(in: directory)
            try report(
                "forgotten",
                "The sign-in is removed from this machine. In Zimmer it goes on until it is ended in Settings.",
                in: context)
            return .success
        }
        guard let record = try SignInStore(directory).load() else {
            try report("none", "Nobody is signed in.", in: context)
            return .success
        }
        let configuration = try arguments[Option.config].map { Configuration(path: $0, context: context) }
        let zimmer = try configuration.flatMap { try $0.load().zimmer }
        let environment = BotEnvironment(version: programVersion, log: TerminalLog(output: context.output))
        do {
            try await SignInDesk.signOut(
                record, in: directory, zimmer: zimmer, secrets: configuration?.secrets, environment: environment)
        } catch {
            throw CommandFailure(
                "the sign-in is kept, as it was not ended in Zimmer: \(error). Try again, or remove it with --forget and"
                    + " end it in Zimmer's Settings")
        }
        try report("ended", "Signed out.", in: context)
        return .success
    }

    private static func report(_ word: String, _ text: String, in context: CommandContext) throws {
        let json: JSONOutput = ["sign_in": .string(word)]
        try context.output.writeLine(context.isJSON ? json.text : text)
    }
}

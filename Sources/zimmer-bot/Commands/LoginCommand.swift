import AdapterKit
import BotCore
import CEL
import Rules

enum LoginCommand: Command {
    private static let config = Option.config.required
    private static let retry = Flag("retry", "try the kept sign-in once more after a lost answer; no browser is needed")
    private static let register = Flag("register", "make a client for the bot in Zimmer, print its id and end")

    static let specification = CommandSpecification(
        "login", "sign the bot in to Zimmer as a person",
        discussion: """
            For acts that are a person's own, such as authorizing a merge; everything else uses the API key. The rules
            file says as which client and whose acts these are, with 'zimmer.sign_in'. It prints an address for a browser
            and reads from standard input the address that the browser is sent to, as the person has copied it. The bot
            must not run meanwhile.
            """,
        options: [config, retry, register],
        examples: [.init("login -c rules.yaml", "Asks; the sign-in is kept in the state directory.")])

    /// Pastes that are no address may be many; a script would go on without end.
    private static let tries = 5

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let configuration = Configuration(path: try arguments.required(config), context: context)
        let file = try configuration.load()
        guard let zimmer = file.zimmer else {
            throw CommandFailure("\(file.name): 'zimmer' is missing", code: .configuration)
        }
        let directory = try context.stateDirectory()
        let environment = BotEnvironment(version: programVersion, log: TerminalLog(output: context.output))
        let desk: SignInDesk
        do {
            desk = try SignInDesk(directory, file, secrets: configuration.secrets, environment: environment)
        } catch {
            throw CommandFailure("\(error)", code: .configuration)
        }
        if arguments[register] { return try await register(at: desk, in: context) }
        guard let settings = zimmer.signIn, let client = SignInClient(settings.client) else {
            throw CommandFailure(
                "\(file.name) has no zimmer.sign_in: acting as a person is off until somebody writes it there",
                code: .configuration)
        }
        let lock = try context.lockForSignIn(directory)
        defer { withExtendedLifetime(lock) {} }
        // A file that is damaged or open to others is looked at by a person before it is written over.
        let before = try desk.record()
        let level: SignInLevel
        if arguments[retry] {
            level = try await desk.retry(as: client)
        } else {
            if let obstacle = await desk.obstacle() { throw CommandFailure(obstacle) }
            try introduce(client, of: settings.person, replacing: before, in: context)
            level = try await desk.signIn(with: try await code(for: desk.question(for: client), in: context))
        }
        try report(level, client, settings.person, in: context)
        return .success
    }

    private static func register(at desk: SignInDesk, in context: CommandContext) async throws -> ExitCode {
        let client = try await desk.register()
        let json: JSONOutput = ["client": .string(client.id)]
        let text = """
            Zimmer knows the bot as client \(client.id) now. To sign in as that client, write it into the rules file:

                zimmer:
                  sign_in: {client: \(client.id), person: WHO}

            Its sign-ins open /mcp alone, and this version of the bot does nothing there: a merge is authorized with the
            client \(SignInClient.zimmerIOSName). A client that nobody signs in with is gone after 7 days.
            """
        try context.output.writeLine(context.isJSON ? json.text : text)
        return .success
    }

    // MARK: - The talk

    private static func introduce(
        _ client: SignInClient, of person: String, replacing before: SignInRecord?, in context: CommandContext
    ) throws {
        let reach =
            client.opensAPI
            ? """
            In Zimmer's Settings it shows as "Zimmer for iOS", as only sign-ins of that app open the API. It was not made
            for the bot, and may stop working with any new version of Zimmer.
            """
            : """
            It is of the registered client \(client.id), whose sign-ins open /mcp alone: this version of the bot cannot
            authorize a merge with it. For that the client is \(SignInClient.zimmerIOSName).
            """
        try context.story.writeLine(
            """
            This signs the bot in to Zimmer as you. What it does with that counts as your own act: the steps that
            \(person.printableLine) has confirmed in a channel, and nothing else.
            \(reach)
            """)
        if let before, before.pair != nil {
            try context.story.writeLine(
                "It takes the place of the one of \(before.signedInAt.wholeSeconds), which stays in Zimmer's Settings"
                    + " until you end it there.")
        }
    }

    private static func code(
        for question: AuthorizationRequest, in context: CommandContext
    ) async throws -> AuthorizationCode {
        let json: JSONOutput = ["url": .string(question.url), "redirect": .string(question.client.redirect)]
        let text = """

            1. Open this address in a browser, sign in, and choose what the bot may do:

            \(question.url)

            2. The browser is then sent to an address that it cannot open; it begins with
               \(question.client.redirect)?
               Copy all of it and paste it here. The code in it lives for 60 seconds:

            """
        try context.output.writeLine(context.isJSON ? json.text : text)
        for attempt in 1... {
            guard let line = await StandardInput.line() else {
                throw CommandFailure("nothing was pasted; nobody is signed in by this")
            }
            do throws(RedirectError) {
                return try question.code(in: line)
            } catch {
                guard error.isWorthAnotherTry, attempt < tries else { throw CommandFailure("\(error)") }
                context.output.report("zimmer-bot: \(error)\n")
            }
        }
        throw CommandFailure("nobody is signed in by this")
    }

    private static func report(
        _ level: SignInLevel, _ client: SignInClient, _ person: String, in context: CommandContext
    ) throws {
        guard !context.isJSON else {
            let json: JSONOutput = ["signed_in": true, "client": .string(client.id), "level": .string(level.rawValue)]
            return try context.output.writeLine(json.text)
        }
        try context.output.writeLine("Signed in: \(level.description).")
        if level == .relay {
            try context.output.writeLine(
                "With this level nothing counts as your word, and Zimmer refuses a merge. Change it in Zimmer's Settings;"
                    + " no new sign-in is needed.")
        }
    }
}

extension CommandContext {
    /// The right to touch a sign-in: it is kept by one process, which may be a bot that runs.
    func lockForSignIn(_ directory: StateDirectory) throws -> StoreLock {
        do throws(StoreLockError) {
            return try StoreLock(directory)
        } catch {
            guard case .held(let path, let holder) = error else { throw error }
            throw CommandFailure(
                "\(path) is in use by \(holder ?? "another process"): stop that one first, as two on one sign-in would end"
                    + " it, and start it again afterwards")
        }
    }
}

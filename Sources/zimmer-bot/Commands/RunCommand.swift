import AdapterKit
import BotCore
import Rules

enum RunCommand: Command {
    private static let config = Option.config.required
    private static let dryRun = Flag("dry-run", "decide and say what would be done; send nothing and write no state")
    private static let once = Flag("once", "poll once, deliver what is due, and end")
    private static let log = Option<AdapterLogLevel>(
        "log", "LEVEL", "the least that is logged: debug (every call of Zimmer too), info (default), warning, error"
    ) { text throws(InvalidValue) in
        guard let level = AdapterLogLevel(rawValue: text) else {
            throw InvalidValue("'\(text)' is none of debug, info, warning, error")
        }
        return level
    }

    static let specification = CommandSpecification(
        "run", "run the bot until it is told to stop",
        discussion: """
            SIGTERM and SIGINT let what is under way finish, for at most 10 s, and the exit code is 0; a second
            signal ends the bot at once. SIGHUP reads the rules again; a bad file leaves the old rules running.
            With --dry-run rules start over, as with 'mode: dry_run', and say what they would do for all that matches:
            episodes, pauses and releases of the bot do not count, used values of 'once' and limits do. 'plan' goes by all
            of them.
            """,
        options: [config, dryRun, once, log],
        examples: [
            .init("run -c rules.yaml", "Runs in the foreground and logs to standard error."),
            .init("run -c rules.yaml --dry-run --once", "One poll, and what it would lead to."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        // First of all: a signal that comes during the start is obeyed after it. One poll ends by itself.
        let signals = arguments[once] ? nil : SignalSource()
        let configuration = Configuration(path: try arguments.required(config), context: context)
        let environment = BotEnvironment(
            version: programVersion, log: TerminalLog(output: context.output, least: try arguments[log] ?? .info))
        let isDry = arguments[dryRun]
        let prepare = { @Sendable (file: RuleFile) in isDry ? file.dry : file }
        let sources = RuleFileSources(configuration.path)
        let file = prepare(try configuration.loadToRun(sources))
        let assembly = try configuration.assemble(file, environment)
        let directory = isDry ? try context.existingStateDirectory() : try context.stateDirectory()
        // Held to the end: one writer per state directory.
        let lock = isDry ? nil : try StoreLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let bot = try Bot(
            assembly, at: isDry ? .copy(of: directory) : .directory(directory), environment: environment
        ) { decision in
            guard isDry else { return }
            for event in decision.events where event.kind == .would {
                try? context.output.writeLine(context.isJSON ? event.json.text : event.line)
            }
        }
        guard let signals else {
            if let problem = await bot.runOnce(assembly) { throw CommandFailure(problem) }
            return .success
        }
        let watcher = ConfigurationWatcher(configuration, sources, environment, bot, prepare: prepare)
        environment.log.write(
            .info, "running", [("rules", "\(file.rules.count)"), ("state", directory.path)])
        let services: [any Service] = [bot, watcher] + (lock.map { [StateWatcher(lock: $0)] } ?? [])
        try await runServices(
            services, signals: signals.signals, onHangUp: { watcher.reload() },
            onStop: {
                environment.log.write(.info, "stopping when what is under way is done; another signal ends it at once")
            })
        environment.log.write(.info, "stopped")
        return .success
    }
}

extension RuleFile {
    /// The same rules, none of which does anything.
    fileprivate var dry: RuleFile {
        var copy = self
        // Whoever waits for a sign of life waits for the real one.
        copy.zimmer?.heartbeat = nil
        for index in copy.rules.indices where copy.rules[index].mode == .live { copy.rules[index].mode = .dryRun }
        return copy
    }
}

extension Event {
    /// Several steps each on a line of their own, indented.
    var line: String {
        let about = subject.map { " \($0)" } ?? ""
        let lines = detail.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printableLine }
        let head = "\(kind.rawValue) \(rule)\(about):".printableLine
        return lines.count == 1 ? "\(head) \(lines[0])" : ([head] + lines.map { "  \($0)" }).joined(separator: "\n")
    }

    /// As in `plan --json`.
    fileprivate var json: JSONOutput {
        ["rule": .string(rule), "subject": subject?.json ?? .null, "what": .string(detail)]
    }
}

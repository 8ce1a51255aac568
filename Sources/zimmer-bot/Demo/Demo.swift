import AdapterKit
import BotCore
import CEL
import DemoZimmer
import Rules

/// The whole job without a server: a simulated Zimmer, the example rules, and everything that happens, printed.
struct Demo {
    private let context: CommandContext
    private let server: DemoServer
    private let pager: RecordingWebhook
    private let clock: DemoClock
    private let bot: Bot
    private let tally = DemoTally()

    init(speed: Double, _ context: CommandContext) throws {
        self.context = context
        server = try DemoServer(day: .friday, speed: speed)
        pager = try RecordingWebhook()
        clock = DemoClock(server: server, speed: speed)
        let environment = BotEnvironment(
            clock: clock, version: programVersion, log: TerminalLog(output: context.output, least: .warning))
        let file = try Self.rules(server, context)
        let secrets = SecretResolver(
            environment: ["ZIMMER_API_KEY": server.apiKey, "PAGER_URL": pager.url], folder: ".")
        let assembly = try Assembly(
            file, environment: environment, secrets: secrets, channels: Configuration.factory(context.story))
        let tally = tally
        bot = try Bot(assembly, at: .memory, environment: environment) { tally.count($0) }
    }

    /// The example rules, on the simulated server.
    private static func rules(_ server: DemoServer, _ context: CommandContext) throws -> RuleFile {
        let configuration = Configuration(path: "rules.example.yaml", context: context)
        let (loaded, diagnostics) = configuration.read(PackageResources.rules_example_yaml)
        guard var file = loaded else {
            throw CommandFailure(
                "the example rules are broken: \(diagnostics.map(\.description).joined(separator: "; "))")
        }
        file.zimmer?.url = server.url
        return file
    }

    /// Runs until the time is up or somebody interrupts it, then says what was decided and why.
    func play(for duration: Duration) async throws {
        context.output.report(
            """
            A simulated Zimmer plays a Friday at \(server.url); rules.example.yaml runs on it.
            Rules of your own can join in: its API key is \(server.apiKey).


            """)
        let signals = SignalSource()
        let watch = DemoWatch(duration: duration)
        let printer = DemoPrinter(
            server: server, pager: pager, clock: clock, output: context.story, palette: context.story.resultPalette)
        try await runServices([printer, bot, watch], signals: signals.signals)
        server.stop()
        pager.stop()
        if context.isJSON {
            try context.output.writeLine(try await summaryJSON().text)
        } else {
            try context.output.write(try await summary())
        }
    }

    private func summary() async throws -> String {
        var text = "\nWhat was decided, and why\n"
        var table = Table(["RULE", "RUNS", "ENDED", "HELD", "WITHDRAWN", "WHAT FOR"])
        var examples = Table(["THE FIRST RUN OF EACH", "", "BECAUSE"])
        for prepared in await bot.ledger.currentRules.rules {
            let counts = tally[prepared.name]
            table.add(
                prepared.name, String(counts.started), String(counts.ended), String(counts.held),
                String(counts.withdrawn), prepared.rule.description ?? "")
            guard let first = counts.first else { continue }
            examples.add(first.rule, first.subject?.description ?? "", first.reasons)
        }
        text += table.text(context.output.resultPalette) + "\n" + examples.text(context.output.resultPalette)
        let reasons = try await bot.ledger.trail(Self.notDone)
        if !reasons.isEmpty {
            var why = Table(["WHAT WAS NOT DONE", "", "", "BECAUSE"])
            for line in reasons {
                why.add(line.kind, line.rule ?? "", line.subject?.description ?? "", line.detail)
            }
            text += "\n" + why.text(context.output.resultPalette)
        }
        text += "\nWrites to Zimmer: \(writes). Messages to the pager: \(pager.messages.count).\n"
        return text
    }

    private func summaryJSON() async throws -> JSONOutput {
        let rules = await bot.ledger.currentRules.rules.map { prepared -> JSONOutput in
            let counts = tally[prepared.name]
            return [
                "rule": .string(prepared.name), "runs": .integer(Int64(counts.started)),
                "ended": .integer(Int64(counts.ended)), "held": .integer(Int64(counts.held)),
                "withdrawn": .integer(Int64(counts.withdrawn)),
            ]
        }
        let notDone = try await bot.ledger.trail(Self.notDone).map { line -> JSONOutput in
            [
                "kind": .string(line.kind), "rule": line.rule.map(JSONOutput.string) ?? .null,
                "subject": line.subject?.json ?? .null, "reason": .string(line.detail),
            ]
        }
        return [
            "rules": .array(rules), "not_done": .array(notDone), "writes": .integer(Int64(writes)),
            "messages": .integer(Int64(pager.messages.count)),
        ]
    }

    /// What the trail calls things that were not done.
    private static let notDone: Set = ["held", "withdrawn", "refused", "unknown", "missed"]

    private var writes: Int { server.writes.count { $0.wasApplied } }
}

extension Event {
    /// The values that decided: `session.status: failed, …`.
    fileprivate var reasons: String {
        values.sorted { $0.key < $1.key }.map { name, value in
            if case .duration(let duration) = value { return "\(name): \(duration.humanized)" }
            return "\(name): \(value.text)"
        }.joined(separator: ", ")
    }
}

/// Ends the demo when its time is up.
private struct DemoWatch: Service {
    let name = "end of the demo"
    let duration: Duration

    func run() async throws {
        try await ContinuousClock().sleep(for: duration)
    }
}

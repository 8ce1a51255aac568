import AdapterKit
import BotCore
import CEL
import Rules

enum SendCommand: Command {
    private static let config = Option.config.required
    private static let channel = Positional.required("CHANNEL", "the channel's name in the rules file")
    private static let text = Positional.required("TEXT", "Markdown, as in a rule's text")

    static let specification = CommandSpecification(
        "send", "send one test message", positionals: [channel, text], options: [config],
        examples: [.init("send -c rules.yaml ops 'hello from the bot'", "Goes out at once, past the bot's queue.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let configuration = Configuration(path: try arguments.required(config), context: context)
        let file = try configuration.load()
        let name = arguments[channel]
        guard let settings = file.channel(name) else {
            let hint = NearMiss.hint(NearMiss.best(of: file.channels.map(\.name), for: name))
            throw CommandFailure("\(file.name) has no channel '\(name)'\(hint)")
        }
        let environment = BotEnvironment(version: programVersion, log: TerminalLog(output: context.output))
        let adapter: any Adapter
        do {
            adapter = try Configuration.factory(context.story).adapter(
                for: settings, secrets: configuration.secrets, environment: environment)
        } catch {
            throw CommandFailure("\(error)", code: .configuration)
        }
        let outcome = await send(arguments[text], to: name, by: adapter, at: context.now())
        guard let reason = outcome.reason else {
            if context.isJSON { try context.output.writeLine(JSONOutput.object([("delivered", true)]).text) }
            return .success
        }
        throw CommandFailure("\(name): \(reason)")
    }

    private static func send(
        _ text: String, to channel: String, by adapter: any Adapter, at time: Timestamp
    ) async -> DeliveryOutcome {
        let body = MessageBody(RenderedText([.markup(text)]))
        let message = Message(
            kind: .notice, channel: channel, time: WallTime(seconds: time.seconds, nanoseconds: time.nanoseconds),
            body: body.tree, markdown: body.markdown)
        let id = "dlv_test\(time.seconds)\(time.nanoseconds)"
        return await withTaskGroup(of: DeliveryOutcome?.self) { group in
            group.addTask {
                await adapter.run()
                return nil
            }
            group.addTask { await adapter.deliver(Delivery(id: DeliveryID(id), message: message, attempt: 1)) }
            for await case let outcome? in group {
                group.cancelAll()
                return outcome
            }
            return .never(reason: "nothing was tried")
        }
    }
}

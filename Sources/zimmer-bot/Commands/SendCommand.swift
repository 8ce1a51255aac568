import AdapterKit
import BotCore
import CEL
import Rules

enum SendCommand: Command {
    private static let config = Option.config.required
    private static let channel = Positional.required("CHANNEL", "the channel's name in the rules file")
    private static let render = Flag("render", "print what would be sent, byte for byte, and send nothing")
    private static let text = Positional.required("TEXT", "Markdown, as in a rule's text")

    static let specification = CommandSpecification(
        "send", "send one test message", positionals: [channel, text], options: [config, render],
        examples: [
            .init("send -c rules.yaml ops 'hello from the bot'", "Goes out at once, past the bot's queue."),
            .init("send -c rules.yaml --render ops '**hello**'", "What the channel's adapter makes of it."),
        ])

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
                for: settings, secrets: configuration.secrets, environment: environment, isGuest: true)
        } catch let error as ConfigurationError {
            throw CommandFailure("channel '\(name)': \(error)", code: .configuration)
        } catch {
            throw CommandFailure("\(error)", code: .configuration)
        }
        let delivery = delivery(of: arguments[text], to: name, at: context.now())
        if arguments[render] { return try print(adapter.render(delivery), in: context) }
        let outcome = await send(delivery, by: adapter)
        guard let reason = outcome.reason else {
            if context.isJSON { try context.output.writeLine(JSONOutput.object([("delivered", true)]).text) }
            return .success
        }
        throw CommandFailure("\(name): \(reason)")
    }

    private static func delivery(of text: String, to channel: String, at time: Timestamp) -> Delivery {
        let body = MessageBody(RenderedText([.markup(text)]))
        let message = Message(
            kind: .notice, channel: channel, time: WallTime(seconds: time.seconds, nanoseconds: time.nanoseconds),
            body: body.tree, markdown: body.markdown)
        return Delivery(
            id: DeliveryID("dlv_test\(time.seconds)\(time.nanoseconds)"), message: message, attempt: 1)
    }

    /// What each part is goes to standard error, so that standard output has the bytes and nothing else.
    private static func print(_ parts: [RenderedPart], in context: CommandContext) throws -> ExitCode {
        guard !context.isJSON else {
            let list = parts.map { part in
                ["label": .string(part.label), "text": .string(String(decoding: part.bytes, as: UTF8.self))]
                    as JSONOutput
            }
            try context.output.writeLine(JSONOutput.array(list).text)
            return .success
        }
        for part in parts {
            context.output.report("\(part.label)\n")
            try context.output.write(String(decoding: part.bytes, as: UTF8.self))
            if part.bytes.last != UInt8(ascii: "\n") { context.output.report("\n") }
        }
        return .success
    }

    private static func send(_ delivery: Delivery, by adapter: any Adapter) async -> DeliveryOutcome {
        await withTaskGroup(of: DeliveryOutcome?.self) { group in
            group.addTask {
                await adapter.run()
                return nil
            }
            group.addTask { await patiently(delivery, by: adapter) }
            for await case let outcome? in group {
                group.cancelAll()
                return outcome
            }
            return .never(reason: "nothing was tried")
        }
    }

    /// An adapter that holds a connection has none yet when it starts, so a wait is waited out. Not where the other side is
    /// asked too often already.
    private static func patiently(_ delivery: Delivery, by adapter: any Adapter) async -> DeliveryOutcome {
        let end = ContinuousClock.now + patience
        var outcome = await adapter.deliver(delivery)
        while case .wait(_, let hint, .channel) = outcome, hint ?? .zero <= .seconds(5), ContinuousClock.now < end,
            !Task.isCancelled
        {
            try? await ContinuousClock().sleep(for: hint ?? .seconds(1))
            outcome = await adapter.deliver(delivery)
        }
        return outcome
    }

    private static let patience = Duration.seconds(20)
}

import AdapterKit
import BotCore
import DemoZimmer
import Rules

enum DemoCommand: Command {
    private static let speed = Option(
        "speed", "N", in: 1...100_000, "seconds of the simulated day per second (default 1440: a day in a minute)")
    private static let seconds = Option(
        "seconds", "N", in: 1...86_400, "end after this many seconds (default: when the day is over)")

    static let specification = CommandSpecification(
        "demo", "watch the bot work through a simulated day, without a server",
        discussion: """
            A small Zimmer plays a day, the example rules run on it, and messages and writes are printed as they
            happen, with a summary at the end. Nothing leaves this machine and nothing is kept.
            """,
        options: [speed, seconds],
        examples: [.init("demo --speed 240", "The day in six minutes.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        let speed = Double(try arguments[speed] ?? 1_440)
        let demo = try Demo(speed: speed, context)
        let day = Duration.seconds(86_400) / speed
        try await demo.play(for: try arguments[seconds].map { min(.seconds($0), day) } ?? day)
        return .success
    }
}

enum DemoCommand {
    static let speed = Option("speed", "N", in: 1...100_000, "seconds of the simulated day per second (default 240)")
    static let seconds = Option(
        "seconds", "N", in: 1...86_400, "end after this many seconds (default: when the day is over)")

    static let specification = CommandSpecification(
        "demo", "watch the bot work through a simulated day, without a server",
        discussion: """
            A small Zimmer plays a day, the example rules run on it, and messages and writes are printed as they
            happen, with a summary at the end. Nothing leaves this machine and nothing is kept.
            """,
        options: [speed, seconds],
        examples: [.init("demo --speed 1000", "The day in about a minute and a half.")])
}

enum StatusCommand {
    static let specification = CommandSpecification(
        "status", "show how reading, channels, rules and sign-in are doing",
        discussion: "Reads the state of the bot; the bot need not run.", options: [Option.config],
        examples: [.init("status --json", "For a monitor.")])
}

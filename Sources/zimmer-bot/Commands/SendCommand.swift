enum SendCommand {
    static let channel = Positional.required("CHANNEL", "the channel's name in the rules file")
    static let text = Positional.required("TEXT", "Markdown, as in a rule's text")

    static let specification = CommandSpecification(
        "send", "send one test message", positionals: [channel, text], options: [Option.config.required],
        examples: [.init("send -c rules.yaml ops 'hello from the bot'", "Goes out at once, past the bot's queue.")])
}

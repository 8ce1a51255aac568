enum RunCommand {
    static let dryRun = Flag("dry-run", "decide and say what would be done; send nothing and write no state")
    static let once = Flag("once", "poll once, deliver what is due, and end")

    static let specification = CommandSpecification(
        "run", "run the bot until it is told to stop",
        discussion: """
            SIGTERM and SIGINT let what is under way finish, for at most 10 s, and the exit code is 0; a second
            signal ends the bot at once. SIGHUP reads the rules again; a bad file leaves the old rules running.
            """,
        options: [Option.config.required, dryRun, once],
        examples: [
            .init("run -c rules.yaml", "Runs in the foreground and logs to standard error."),
            .init("run -c rules.yaml --dry-run --once", "One poll, and what it would lead to."),
        ])
}

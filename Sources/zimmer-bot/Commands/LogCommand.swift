enum LogCommand {
    static let follow = Flag("follow", short: "f", "go on with what happens from now on")
    static let rule = Option("rule", "RULE", "only of this rule")
    static let session = Option("session", "ID", "only about this session")
    static let since = Option("since", "TIME", "only after this time, or so long ago: 2h, 3d")

    static let specification = CommandSpecification(
        "log", "show what was decided and done, and why", options: [follow, rule, session, since],
        examples: [
            .init("log --since 1d", "The last day."),
            .init("log --follow --rule failed-session", "One rule, as it happens."),
        ])
}

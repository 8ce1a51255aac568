enum PlanCommand {
    static let exitCode = Flag("exit-code", "exit with 2 if something would be done")

    static let specification = CommandSpecification(
        "plan", "show what would be done now",
        discussion: """
            Reads Zimmer once and decides, beside a running bot too. Nothing is sent and no state is written.
            What is held is shown with the reason.
            """,
        options: [Option.config.required, exitCode],
        examples: [.init("plan -c rules.yaml", "What 'run' would do at its next poll.")])
}

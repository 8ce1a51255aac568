enum RunRuleCommand: Command {
    private static let rule = Positional.required("RULE", "the rule's name")

    static let specification = CommandSpecification(
        "run-rule", "run a rule now",
        discussion: """
            A schedule runs as in a slot of this moment. A rule that watches runs 'do' once more for everything that it is
            active for. Conditions, last looks and limits hold as ever.
            """,
        positionals: [rule],
        examples: [.init("run-rule daily-costs", "The report of this moment.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
        try await Wish("run-rule", [arguments[rule]]).submit(in: context)
    }
}

enum CheckCommand {
    static let files = Positional.oneOrMore("FILE", "rules files; - is standard input")
    static let strict = Flag("strict", "count warnings as errors")

    static let specification = CommandSpecification(
        "check", "report every mistake in rules files",
        discussion: """
            Errors are printed as compilers print them, all in one pass. The exit code is 2 when there is an error,
            0 when there are only warnings. Secrets are not needed: a missing one is a warning.
            """,
        positionals: [files], options: [strict],
        examples: [.init("check rules.yaml", "Every problem with its line and what was probably meant.")])
}

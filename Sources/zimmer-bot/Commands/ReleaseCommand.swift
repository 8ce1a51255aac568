enum ReleaseCommand {
    static let rule = Positional.required("RULE", "the rule's name")

    static let specification = CommandSpecification(
        "release", "let a rule do what is held",
        discussion: """
            A new rule that would write to many subjects at once is held until a person has seen the list. The wish
            is handed to the running bot through its state directory.
            """,
        positionals: [rule], examples: [.init("release snooze-stale", "Its writes go on at the next poll.")])
}

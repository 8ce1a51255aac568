/// One thing the program can do.
protocol Command: SendableMetatype {
    static var specification: CommandSpecification { get }

    /// Does it. What it throws is printed to standard error: see `BotProgram.run`.
    static func run(_ arguments: ParsedArguments, in context: CommandContext) async throws -> ExitCode
}

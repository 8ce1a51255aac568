enum VersionCommand: Command {
    static let specification = CommandSpecification("version", "show the version")

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        try context.output.writeLine(
            context.isJSON
                ? JSONOutput.object([("version", .string(programVersion))]).text : "zimmer-bot \(programVersion)")
        return .success
    }
}

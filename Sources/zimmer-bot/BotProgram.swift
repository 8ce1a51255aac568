import BotCore
import CEL

/// The program as a function of its arguments. It reads no global and ends no process, so a test can call it.
struct BotProgram: Sendable {
    let environment: [String: String]
    let output: Output
    let now: @Sendable () -> Timestamp

    func run(_ arguments: [String]) async -> ExitCode {
        do {
            return try await dispatch(arguments)
        } catch let error as UsageError {
            output.report(error.text)
            return .usage
        } catch let failure as CommandFailure {
            output.report("zimmer-bot: \(failure.message)\n")
            return failure.code
        } catch let error as StateDirectoryError {
            output.report("zimmer-bot: \(error)\n")
            return .configuration
        } catch OutputError.readerIsGone {
            // `| head` has read what it wanted.
            return .success
        } catch {
            output.report("zimmer-bot: \(error)\n")
            return .failure
        }
    }

    private func dispatch(_ arguments: [String]) async throws -> ExitCode {
        let split = try CommandRegistry.split(arguments)
        guard let command = split.command else {
            if split.wantsVersion { return try VersionCommand.run(.none, in: context(for: .none)) }
            guard split.wantsHelp else { throw UsageError("no command given", usage: HelpText.program()) }
            return try HelpCommand.run(.none, in: context(for: .none))
        }
        let specification = command.specification
        if ArgumentParser.wantsHelp(split.arguments) {
            try output.write(HelpText.command(specification))
            return .success
        }
        let parsed = try ArgumentParser(specification).parse(split.arguments)
        return try await command.run(parsed, in: context(for: parsed))
    }

    private func context(for arguments: ParsedArguments) throws -> CommandContext {
        let choice = try arguments[CommonOptions.color] ?? .auto
        return CommandContext(
            output: output.colored(choice, environment: environment), environment: environment, now: now,
            isJSON: arguments[CommonOptions.json], stateOption: try arguments[CommonOptions.state])
    }
}

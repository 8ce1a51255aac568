import AdapterKit
import BotCore
import CEL
import ConsoleAdapter
import EmailAdapter
import Foundation
import IRCAdapter
import MatrixAdapter
import Rules
import WebhookAdapter

/// A rules file as a command finds it, and what is made of it.
struct Configuration: Sendable {
    let path: String
    let context: CommandContext

    /// The adapters that are part of the program.
    static func factory(_ output: Output) -> ChannelFactory {
        ChannelFactory([
            ConsoleKind(usesColorOnAuto: output.resultPalette.isOn) { try output.write($0) },
            EmailKind(),
            WebhookKind(),
            MatrixKind(),
            IRCKind(),
        ])
    }

    /// The file with everything wrong with it; nil where something is an error. A file that cannot be read is one too.
    func read() -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.read(path, atMost: RuleFile.maximumBytes)
        } catch {
            let start = SourcePosition(file: path, line: 1, column: 1)
            return (nil, [RuleDiagnostic(.error, "the file cannot be read: \(error.reason)", at: start)])
        }
        return read(bytes)
    }

    /// The same for a file that is already in memory.
    func read(_ bytes: [UInt8]) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        RuleFile.load(
            bytes, file: path, vocabulary: .zimmer, channels: Self.factory(context.output).schemas, now: context.now())
    }

    /// Loads the file; prints everything wrong with it.
    ///
    /// - Throws: `CommandFailure` with the code for a configuration that cannot be used.
    func load() throws(CommandFailure) -> RuleFile {
        let (file, diagnostics) = read()
        for diagnostic in diagnostics { context.output.report(diagnostic.text(context.output.diagnosticPalette)) }
        guard let file else {
            throw CommandFailure("\(path) has errors", code: .configuration)
        }
        return file
    }

    /// What is wrong with the secrets that the file names, all of it at once.
    ///
    /// - Parameter severity: of a secret that cannot be had, or is not what its channel needs.
    func secretDiagnostics(of file: RuleFile, missing severity: RuleDiagnostic.Severity) -> [RuleDiagnostic] {
        let secrets = secrets
        let found = file.secrets.compactMap { reference -> RuleDiagnostic? in
            do throws(SecretResolver.Failure) {
                _ = try secrets.resolve(reference)
                return secrets.concern(about: reference).map { RuleDiagnostic(.warning, $0.reason, at: $0.position) }
            } catch {
                return RuleDiagnostic(severity, error.reason, at: error.position)
            }
        }
        return found + file.channels.compactMap { diagnostic(of: $0, severity) }
    }

    /// What a channel's adapter does not take.
    private func diagnostic(of channel: ChannelSettings, _ severity: RuleDiagnostic.Severity) -> RuleDiagnostic? {
        let environment = BotEnvironment(version: programVersion, log: TerminalLog(output: context.output))
        do {
            try Self.factory(context.output).check(channel, secrets: secrets, environment: environment)
            return nil
        } catch let error as ConfigurationError {
            let position = error.key.flatMap { channel.positions[$0] } ?? channel.position
            return RuleDiagnostic(severity, "channel '\(channel.name)': \(error)", at: position)
        } catch {
            // A secret that cannot be had was said already.
            return nil
        }
    }

    /// Makes everything that the bot needs; reads the secrets.
    func assemble(_ file: RuleFile, _ environment: BotEnvironment) throws -> Assembly {
        let diagnostics = secretDiagnostics(of: file, missing: .error)
        for diagnostic in diagnostics { context.output.report(diagnostic.text(context.output.diagnosticPalette)) }
        guard !diagnostics.hasErrors else {
            throw CommandFailure("\(path) names secrets that cannot be used", code: .configuration)
        }
        do {
            return try Assembly(
                file, environment: environment, secrets: secrets, channels: Self.factory(context.story))
        } catch {
            throw CommandFailure("\(error)", code: .configuration)
        }
    }

    var secrets: SecretResolver {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return SecretResolver(environment: context.environment, folder: folder)
    }
}

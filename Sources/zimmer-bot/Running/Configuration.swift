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

    /// The file with everything wrong with it and with those that it includes; nil where something is an error. A file
    /// that cannot be read is one too.
    func read() -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        read(RuleFileSources(path))
    }

    func read(_ sources: RuleFileSources) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        do {
            return read(try sources.bytes(), including: sources)
        } catch {
            let start = SourcePosition(file: path, line: 1, column: 1)
            return (nil, [RuleDiagnostic(.error, "the file cannot be read: \(error.reason)", at: start)])
        }
    }

    /// The same for a file that is already in memory.
    func read(
        _ bytes: [UInt8], including reader: (any RuleFileReader)? = nil
    ) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        RuleFile.load(
            bytes, file: path, vocabulary: .zimmer, channels: Self.factory(context.output).schemas, now: context.now(),
            including: reader)
    }

    /// Loads the file; prints everything wrong with it.
    ///
    /// - Throws: `CommandFailure` with the code for a configuration that cannot be used.
    func load() throws(CommandFailure) -> RuleFile {
        try load(RuleFileSources(path))
    }

    func load(_ sources: RuleFileSources) throws(CommandFailure) -> RuleFile {
        let (file, diagnostics) = read(sources)
        for diagnostic in diagnostics { context.output.report(diagnostic.text(context.output.diagnosticPalette)) }
        guard let file else {
            throw CommandFailure("\(path) has errors", code: .configuration)
        }
        return file
    }

    /// The same for a file whose rules are to run, not only to be read.
    func loadToRun(_ sources: RuleFileSources) throws(CommandFailure) -> RuleFile {
        let file = try load(sources)
        let refused = file.notRun
        for diagnostic in refused { context.output.report(diagnostic.text(context.output.diagnosticPalette)) }
        guard refused.isEmpty else {
            throw CommandFailure("\(path) has rules that cannot run", code: .configuration)
        }
        return file
    }

    /// Why `run` would not start with this file, all of it at once and none of it printed.
    func refusals(of file: RuleFile, _ environment: BotEnvironment) -> [RuleDiagnostic] {
        let found = (file.notRun + channelDiagnostics(of: file, secret: .error)).filter { $0.severity == .error }
        guard found.isEmpty else { return found }
        do {
            _ = try assembly(of: file, environment)
            return []
        } catch {
            return [RuleDiagnostic(.error, "\(error)", at: SourcePosition(file: path, line: 1, column: 1))]
        }
    }

    /// What is wrong with the channels of a file and with the secrets that it names, all of it at once.
    ///
    /// - Parameter severity: of a secret that cannot be had, or is not what its channel needs; the file can do nothing
    ///   about those. The rest are errors.
    func channelDiagnostics(of file: RuleFile, secret severity: RuleDiagnostic.Severity) -> [RuleDiagnostic] {
        let secrets = secrets
        var missing: Set<SecretReference> = []
        var found = file.secrets.compactMap { reference -> RuleDiagnostic? in
            do throws(SecretResolver.Failure) {
                if reference == file.zimmer?.edgeToken {
                    let expiry = try EdgeToken(reference, from: secrets).expiry
                    if let problem = CredentialReport.edgeWarning(expiry, now: context.now()) {
                        return RuleDiagnostic(.warning, problem, at: reference.position)
                    }
                } else {
                    try secrets.check(reference, of: file)
                }
                return secrets.concern(about: reference).map { RuleDiagnostic(.warning, $0.reason, at: $0.position) }
            } catch {
                missing.insert(reference)
                return RuleDiagnostic(severity, error.reason, at: error.position)
            }
        }
        // One for all, as channels may share a connection and have to agree on it.
        let factory = Self.factory(context.output)
        for channel in file.channels {
            guard let (error, secrets) = refusal(of: channel, by: factory), secrets.isDisjoint(with: missing) else {
                continue
            }
            let isAboutSecret = !secrets.isEmpty || (error.key == nil && !missing.isEmpty)
            found.append(
                RuleDiagnostic(
                    isAboutSecret ? severity : .error, "channel '\(channel.name)': \(error)",
                    at: error.key.flatMap { channel.positions[$0] } ?? channel.position))
        }
        return found
    }

    /// What a channel's adapter does not take, and the secret that it is about, if any.
    private func refusal(
        of channel: ChannelSettings, by factory: ChannelFactory
    ) -> (ConfigurationError, Set<SecretReference>)? {
        let environment = BotEnvironment(version: programVersion, log: TerminalLog(output: context.output))
        do {
            try factory.check(channel, secrets: secrets.withStandIns, environment: environment)
            return nil
        } catch let error as ConfigurationError {
            guard case .secret(let reference) = error.key.flatMap({ channel.values[$0] }) else { return (error, []) }
            return (error, [reference])
        } catch {
            // A secret that cannot be had was said already.
            return nil
        }
    }

    /// Makes everything that the bot needs; reads the secrets.
    func assemble(_ file: RuleFile, _ environment: BotEnvironment) throws -> Assembly {
        let diagnostics = channelDiagnostics(of: file, secret: .error)
        for diagnostic in diagnostics { context.output.report(diagnostic.text(context.output.diagnosticPalette)) }
        guard !diagnostics.hasErrors else {
            throw CommandFailure("\(path) has channels or secrets that cannot be used", code: .configuration)
        }
        do {
            return try assembly(of: file, environment)
        } catch {
            throw CommandFailure("\(error)", code: .configuration)
        }
    }

    private func assembly(of file: RuleFile, _ environment: BotEnvironment) throws -> Assembly {
        try Assembly(file, environment: environment, secrets: secrets, channels: Self.factory(context.story))
    }

    var secrets: SecretResolver {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return SecretResolver(environment: context.environment, folder: folder)
    }
}

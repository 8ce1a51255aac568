package import Rules

/// Looks whether the bot can do its work with a rules file: Zimmer, credentials, channels, state directory. Reads only;
/// nothing is written, and nobody is told anything.
package struct Doctor: Sendable {
    let file: RuleFile
    let environment: BotEnvironment
    let secrets: SecretResolver
    let factory: ChannelFactory
    let directory: StateDirectory

    package init(
        _ file: RuleFile, environment: BotEnvironment, secrets: SecretResolver, channels factory: ChannelFactory,
        directory: StateDirectory
    ) {
        self.file = file
        self.environment = environment
        self.secrets = secrets
        self.factory = factory
        self.directory = directory
    }

    /// Everything that was found, area by area. Zimmer and the channels are looked at side by side.
    package func findings() async -> [Finding] {
        async let zimmer = zimmerFindings()
        async let channels = channelFindings()
        let local = secretFindings() + StateInspection(directory, store: file.store).findings + timeFindings()
        return await zimmer + channels + local
    }

    private func secretFindings() -> [Finding] {
        let area = "secrets"
        let findings = file.secrets.flatMap { reference -> [Finding] in
            do throws(SecretResolver.Failure) {
                _ = try secrets.resolve(reference)
                return secrets.concern(about: reference).map { [Finding(area, .warning, $0.reason)] } ?? []
            } catch {
                return [Finding(area, .problem, "\(reference), line \(reference.position.line): \(error.reason)")]
            }
        }
        if !findings.isEmpty || file.secrets.isEmpty { return findings }
        return [Finding(area, .ok, "all \(file.secrets.count) can be read, by nobody else on this machine")]
    }

    /// A zone that this machine does not know is an error when the file is loaded.
    private func timeFindings() -> [Finding] {
        let zones = Set(file.rules.map(\.timeZone) + [file.timeZone]).sorted()
        return [
            Finding("times", .ok, "this machine knows the zones that the rules use: \(zones.joined(separator: ", "))")
        ]
    }
}

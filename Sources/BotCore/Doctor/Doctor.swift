package import Rules

/// Looks whether the bot can do its work with a rules file: Zimmer, credentials, channels, state directory. Reads only;
/// nothing is written, and nobody is told anything.
package struct Doctor: Sendable {
    let file: RuleFile
    let environment: BotEnvironment
    let secrets: SecretResolver
    let factory: ChannelFactory
    let directory: StateDirectory
    let refusals: [RuleDiagnostic]

    /// - Parameter refusals: why the bot would not start with the file, as whoever starts it finds.
    package init(
        _ file: RuleFile, environment: BotEnvironment, secrets: SecretResolver, channels factory: ChannelFactory,
        directory: StateDirectory, refusals: [RuleDiagnostic] = []
    ) {
        self.file = file
        self.environment = environment
        self.secrets = secrets
        self.factory = factory
        self.directory = directory
        self.refusals = refusals
    }

    /// Everything that was found, area by area. Zimmer and the channels are looked at side by side.
    package func findings() async -> [Finding] {
        async let zimmer = zimmerFindings()
        async let channels = channelFindings()
        let local = secretFindings() + StateInspection(directory, store: file.store).findings + timeFindings()
        let others = await zimmer + channels + local
        return others + ruleFindings(beside: others)
    }

    /// What `run` would refuse, unless another finding has said that already.
    private func ruleFindings(beside others: [Finding]) -> [Finding] {
        let area = "rules"
        let said = others.filter { $0.grade == .problem }.map(\.text)
        let unsaid = refusals.filter { refusal in !said.contains { $0.contains(refusal.message) } }
        guard refusals.isEmpty else {
            return unsaid.map { Finding(area, .problem, "'run' refuses line \($0.position.line): \($0.message)") }
        }
        let off = file.rules.count { $0.mode == .off }
        let text = "'run' takes the file: \(file.rules.count) rules\(off > 0 ? ", \(off) of them off" : "")"
        return [Finding(area, .ok, text)]
    }

    private func secretFindings() -> [Finding] {
        let area = "secrets"
        let findings = file.secrets.flatMap { reference -> [Finding] in
            do throws(SecretResolver.Failure) {
                try secrets.check(reference, of: file)
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

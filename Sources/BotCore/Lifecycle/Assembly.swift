package import AdapterKit
package import Rules

/// Everything that follows from a rules file and its secrets, made before any of it is put to use: what can fail, fails
/// here.
package struct Assembly: Sendable {
    /// Why a file that loads cannot be run.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    package let file: RuleFile
    package let rules: RuleSet
    package let polling: ZimmerSettings.Polling
    package let channels: [(name: String, adapter: any Adapter)]
    let hub = ChannelHub()
    /// Of Zimmer.
    let address: String
    let client: ZimmerClient
    /// Where calls and readings are written down.
    let calls: CallLog
    /// For a gate in front of Zimmer.
    let edge: EdgePass?
    /// As whom the bot may act; nil without `zimmer.sign_in`.
    let acting: ActingAccount?
    let reader: ZimmerReader
    let boardReader: BoardReader
    let listingReader: ListingReader
    let detailReader: DetailReader
    /// Who waits for a sign of life.
    let heartbeat: HeartbeatTarget?
    /// Readers that a rule needs.
    package let readers: Set<ReaderName>

    package enum ReaderName: String, Sendable, CaseIterable {
        case board, health, costs, inbox, triggers, elicitations, backlog, clis
    }

    /// How often a reader reads.
    package func interval(of reader: ReaderName) -> Duration { polling.interval(of: reader) }

    func pace(of reader: ReaderName) -> Pace {
        Pace(interval: interval(of: reader), adapts: !polling.isWritten(of: reader))
    }

    var delivery: DeliveryRules { DeliveryRules(file) }

    /// What a person can do while Zimmer cannot be read.
    var advice: ZimmerAdvice { ZimmerAdvice(file.zimmer) }

    var freshness: Observation.Freshness {
        Observation.Freshness(boardInterval: polling.board, healthInterval: polling.health)
    }

    /// - Throws: `Failure`, `SecretResolver.Failure` or `ConfigurationError`; the text says what to do.
    package init(
        _ file: RuleFile, environment: BotEnvironment, secrets: SecretResolver, channels factory: ChannelFactory
    ) throws {
        guard let zimmer = file.zimmer else { throw Failure(description: "\(file.name): 'zimmer' is missing") }
        guard let address = ZimmerAddress(zimmer.url) else {
            throw Failure(description: "\(file.name): zimmer.url is not an http or https address")
        }
        self.file = file
        self.address = address.text
        rules = RuleSet(file.rules, limit: zimmer.limit)
        polling = zimmer.polling
        let key = try secrets.resolve(zimmer.apiKey, as: .apiKey)
        let edge = try zimmer.edgeToken.map { try EdgePass($0, from: secrets) }
        calls = CallLog(environment.log, environment.clock, advice: ZimmerAdvice(zimmer))
        let wire = ZimmerWire(
            address: address, edge: edge, transport: environment.makeTransport(try zimmer.authorities(secrets)),
            version: environment.version, log: calls)
        self.edge = edge
        client = ZimmerClient(wire, key: key, allowed: rules.calls)
        acting = ActingAccount(zimmer, wire, allowed: rules.calls)
        let decoder = SessionDecoder(webURL: zimmer.webURL)
        reader = ZimmerReader(client, decoder: decoder)
        let clock = environment.clock
        boardReader = BoardReader(client, decoder: decoder) { clock.now() }
        listingReader = ListingReader(client, webURL: zimmer.webURL)
        detailReader = DetailReader(client)
        heartbeat = try zimmer.heartbeat.map { try HeartbeatTarget($0, secrets, environment) }
        readers = rules.readers
        channels = try file.channels.map { [hub] channel in
            do {
                let adapter = try factory.adapter(
                    for: channel, secrets: secrets, environment: environment, hub: hub)
                return (channel.name, adapter)
            } catch let error as ConfigurationError {
                throw Failure(description: "\(channel.position): error: channel '\(channel.name)': \(error)")
            }
        }
    }
}

extension EdgeToken {
    /// - Throws: `SecretResolver.Failure`, of what is no token too.
    package init(_ reference: SecretReference, from secrets: SecretResolver) throws(SecretResolver.Failure) {
        self.init(checked: try secrets.resolve(reference, as: .edgeToken))
    }
}

extension EdgePass {
    /// A file that holds it may be replaced while the bot runs.
    convenience init(_ reference: SecretReference, from secrets: SecretResolver) throws(SecretResolver.Failure) {
        self.init(try EdgeToken(reference, from: secrets)) { () throws(TokenFault) in
            guard let text = try? secrets.resolve(reference).reveal() else { return nil }
            return try EdgeToken(text)
        }
    }
}

extension HeartbeatTarget {
    fileprivate init(
        _ settings: ZimmerSettings.Heartbeat, _ secrets: SecretResolver, _ environment: BotEnvironment
    ) throws {
        let address = try secrets.resolve(settings.url)
        guard let shown = HTTPAddress(address) else {
            throw Assembly.Failure(
                description: "\(settings.url.position): error: the address of 'heartbeat' is no http or https address")
        }
        self.init(
            address: address, shown: shown, interval: settings.interval, transport: environment.makeTransport(nil))
    }
}

extension RuleSet {
    /// The calls of Zimmer's API that these rules need: the gate lets nothing else through.
    package var calls: Set<ZimmerCall> {
        var calls = ZimmerCall.reads
        for prepared in rules {
            for step in prepared.rule.steps + prepared.rule.resolved {
                if case .write(let write) = step.action { calls.formUnion(ZimmerCall.calls(of: write.name)) }
            }
        }
        return calls
    }

    /// Some rule decides on how channels fare.
    var readsChannels: Bool {
        rules.contains { $0.watchable?.name == "channel" || $0.decidesOn.contains("channels") }
    }

    /// The readers that some rule needs: a rule that writes and names pull requests needs health,
    /// as recovery mode stops it.
    var readers: Set<Assembly.ReaderName> {
        var readers: Set<Assembly.ReaderName> = []
        for prepared in rules where prepared.rule.mode != .off {
            let watched = prepared.watchable?.name
            if ["session", "zimmer", "channel"].contains(watched) || prepared.reads.contains("board") {
                readers.insert(.board)
            }
            if let kind = watched.flatMap(ListingKind.init) {
                readers.insert(kind.reader)
                if kind.hasSession { readers.insert(.board) }
            }
            if watched == "health" || prepared.reads.contains("health") { readers.insert(.health) }
            if prepared.rule.writes, prepared.namesPullRequests { readers.insert(.health) }
            if prepared.rule.schedule == nil, !prepared.costsRequests(slot: nil).isEmpty { readers.insert(.costs) }
        }
        return readers
    }
}

extension ZimmerSettings.Polling {
    /// The interval of a reader is one that the file writes.
    func isWritten(of reader: Assembly.ReaderName) -> Bool {
        written.contains(reader == .clis ? Assembly.ReaderName.health.rawValue : reader.rawValue)
    }

    /// How often a reader reads.
    func interval(of reader: Assembly.ReaderName) -> Duration {
        switch reader {
        case .board: board
        // Zimmer itself looks at its tools once in half an hour.
        case .health, .clis: health
        case .costs: costs
        case .inbox: inbox
        case .triggers: triggers
        case .elicitations: elicitations
        case .backlog: backlog
        }
    }
}

extension ListingKind {
    /// What reads it.
    package var reader: Assembly.ReaderName {
        switch self {
        case .notification: .inbox
        case .trigger: .triggers
        case .elicitation: .elicitations
        case .backlog: .backlog
        case .clis: .clis
        }
    }
}

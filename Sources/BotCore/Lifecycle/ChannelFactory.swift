package import AdapterKit
package import Rules

/// Makes the adapters of the channels that a rules file declares.
package struct ChannelFactory: Sendable {
    private let kinds: [String: any AdapterKind]

    package init(_ kinds: [any AdapterKind]) {
        self.kinds = Dictionary(kinds.map { ($0.name, $0) }) { first, _ in first }
    }

    /// What may be written under `channels:`, for the loader.
    package var schemas: [ChannelSchema] {
        kinds.values.sorted { $0.name < $1.name }.map { kind in
            ChannelSchema(kind: kind.name, keys: kind.schema.keys.map(ChannelSchema.Key.init))
        }
    }

    /// Throws what `adapter` would throw.
    package func check(_ channel: ChannelSettings, secrets: SecretResolver, environment: BotEnvironment) throws {
        var environment = environment
        environment.makeTransport = { _ in ClosedTransport() }
        _ = try adapter(for: channel, secrets: secrets, environment: environment)
    }

    /// - Parameters:
    ///   - monitor: told how the adapter's connection does; the hub unless somebody else wants to know.
    ///   - isGuest: it sends one message, perhaps beside a bot that uses the same account.
    package func adapter(
        for channel: ChannelSettings, secrets: SecretResolver, environment: BotEnvironment,
        hub: ChannelHub = ChannelHub(), monitor: (any ConnectionMonitor)? = nil, isGuest: Bool = false
    ) throws -> any Adapter {
        let context = AdapterContext(
            channelName: channel.name, transport: AdapterTransport(environment.makeTransport(nil)),
            byteStreams: environment.byteStreams, mail: environment.mail, store: hub.store(for: channel.kind),
            monitor: monitor ?? hub.monitor(for: channel.name),
            rate: channel.delivery.rate.map { Rate(burst: $0.burst, per: $0.interval) },
            mentions: channel.delivery.mention, isGuest: isGuest, clock: AdapterTime(environment.clock),
            random: environment.random,
            log: environment.log)
        guard let kind = kinds[channel.kind] else {
            throw ConfigurationError(key: "adapter", "there is no adapter '\(channel.kind)'")
        }
        let values = try channel.values.mapValues { try ConfigurationValue($0, secrets) }
        let configuration = try AdapterConfiguration(schema: kind.schema, values: values)
        return try kind.makeAdapter(configuration: configuration, context: context)
    }
}

extension ConfigurationValue {
    fileprivate init(_ value: ChannelSettings.Value, _ secrets: SecretResolver) throws {
        switch value {
        case .text(let text): self = .text(text)
        case .path(let path): self = .text(secrets.path(path))
        case .section(let values): self = .section(try values.mapValues { try ConfigurationValue($0, secrets) })
        case .secret(let reference): self = .secret(try secrets.resolve(reference))
        case .integer(let integer): self = .integer(integer)
        case .boolean(let boolean): self = .boolean(boolean)
        case .duration(let duration): self = .duration(duration)
        case .textList(let texts): self = .textList(texts)
        case .textMap(let entries):
            self = .headers(
                try entries.map { entry in
                    switch entry.value {
                    case .text(let text): HTTPHeader(entry.name, text)
                    case .secret(let reference): HTTPHeader(entry.name, try secrets.resolve(reference))
                    }
                })
        }
    }
}

extension ChannelSchema.Key {
    fileprivate init(_ key: ConfigurationKey) {
        let type: ChannelSchema.ValueType =
            switch key.type {
            case .text: .text
            case .secret: .secret
            case .path: .path
            case .integer: .integer
            case .boolean: .boolean
            case .duration(let most): .duration(atMost: most)
            case .choice(let words, let later): .choice(words, later: later)
            case .textList: .textList
            case .headers(let reserved): .headers(reserved: reserved)
            case .section(let schema): .section(schema.keys.map(ChannelSchema.Key.init))
            }
        self.init(key.name, type, required: key.isRequired, key.summary)
    }
}

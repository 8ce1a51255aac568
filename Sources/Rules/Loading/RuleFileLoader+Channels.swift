import CEL

extension RuleFileLoader {
    struct Channels {
        /// Every name that the file has, also of channels that could not be read.
        var names: [String] = []
        var settings: [ChannelSettings] = []
    }

    func channels(_ entry: YAMLEntry, _ zone: String) -> Channels {
        var channels = Channels()
        for entry in entry.value.map(as: "'channels'", report) ?? [] {
            channels.names.append(entry.key)
            guard entry.key.isName else {
                report.error("a channel's name has letters, digits, '-' and '_'", at: entry.keyRange)
                continue
            }
            if let settings = channel(entry, zone) { channels.settings.append(settings) }
        }
        return channels
    }

    private func channel(_ entry: YAMLEntry, _ zone: String) -> ChannelSettings? {
        let what = "channel '\(entry.key)'"
        guard let map = entry.value.map(as: what, report) else { return nil }
        guard let schema = schema(map, what, entry) else {
            // Without a schema any of these could be a secret.
            for other in map where other.key != "adapter" { report.hide(other.value.range) }
            return nil
        }
        let keys = Language.Keys(
            known: ["adapter"] + Language.channel.known + schema.keys.map(\.name), later: Language.channel.later)
        guard let fields = Fields(entry.value, of: what, keys, hidesUnknown: true, report) else { return nil }
        return ChannelSettings(
            name: entry.key, kind: schema.kind, values: values(fields, schema.keys), delivery: delivery(fields, zone),
            position: report.source.position(at: entry.keyRange.lowerBound),
            positions: Dictionary(
                fields.ordered.map { ($0.key, report.source.position(at: $0.value.range.lowerBound)) },
                uniquingKeysWith: { first, _ in first }))
    }

    /// The keys that every kind has.
    private func delivery(_ fields: Fields, _ zone: String) -> ChannelDelivery {
        var delivery = ChannelDelivery()
        delivery.quiet = fields["quiet"].flatMap { report.quietHours($0, in: zone) }
        delivery.rate = fields["rate"].flatMap(rate)
        delivery.deadline = fields["deadline"].flatMap { report.duration($0, atLeast: .seconds(1)) }
        delivery.mention =
            fields["mention"].flatMap(report.elements)?.compactMap { report.word($0, "whom to call") } ?? []
        let detail = fields["detail"].flatMap { report.choice($0, ChannelDelivery.Detail.allCases.map(\.rawValue)) }
        delivery.detail = detail.flatMap(ChannelDelivery.Detail.init) ?? .full
        return delivery
    }

    private func rate(_ entry: YAMLEntry) -> ChannelDelivery.Rate? {
        guard let fields = Fields(entry.value, of: "'rate'", Language.rate, report),
            let burst = fields.required("burst", ": how many at once").flatMap({ report.integer($0, in: 1...1_000) }),
            let interval = fields.required("per", ": after how long the next").flatMap({
                report.duration($0, atMost: .seconds(3_600))
            })
        else { return nil }
        return ChannelDelivery.Rate(burst: burst, interval: interval)
    }

    private func schema(_ map: [YAMLEntry], _ what: String, _ entry: YAMLEntry) -> ChannelSchema? {
        let kinds = schemas.map(\.kind)
        guard let adapter = map.first(where: { $0.key == "adapter" }) else {
            report.missing("\(what) needs 'adapter': \(kinds.joined(separator: ", "))", at: entry.keyRange)
            return nil
        }
        let later = Language.channelKinds.filter { !kinds.contains($0) }
        guard let kind = report.choice(adapter, kinds, later: later) else { return nil }
        return schemas.first { $0.kind == kind }
    }

    private func values(_ fields: Fields, _ keys: [ChannelSchema.Key]) -> [String: ChannelSettings.Value] {
        var values: [String: ChannelSettings.Value] = [:]
        for key in keys {
            let found = key.isRequired ? fields.required(key.name) : fields[key.name]
            values[key.name] = found.flatMap { value($0, key.type) }
        }
        return values
    }

    private func section(_ entry: YAMLEntry, _ keys: [ChannelSchema.Key]) -> ChannelSettings.Value? {
        let names = Language.Keys(known: keys.map(\.name))
        return Fields(entry.value, of: "'\(entry.key)'", names, hidesUnknown: true, report).map {
            .section(values($0, keys))
        }
    }

    private func value(_ entry: YAMLEntry, _ type: ChannelSchema.ValueType) -> ChannelSettings.Value? {
        switch type {
        case .text: report.text(entry).map { .text($0) }
        case .path: report.text(entry).map { .path($0) }
        case .section(let keys): section(entry, keys)
        case .secret: report.secret(entry).map { .secret($0) }
        case .integer: report.integer(entry, in: 0...Int.max).map { .integer($0) }
        case .boolean: report.boolean(entry).map { .boolean($0) }
        case .duration(let most):
            report.duration(entry, atLeast: .seconds(1), atMost: most).map { .duration($0) }
        case .choice(let words, let later): report.choice(entry, words, later: later).map { .text($0) }
        case .textList: report.elements(entry).map { .textList($0.compactMap { report.text($0) }) }
        case .headers(let reserved):
            entry.value.map(as: "'\(entry.key)'", report).map { map in
                .textMap(
                    map.compactMap { inner in
                        checkHeader(inner, reserved)
                        return text(inner).map { ChannelSettings.Entry(name: inner.key, value: $0) }
                    })
            }
        }
    }

    private func checkHeader(_ header: YAMLEntry, _ reserved: [String]) {
        let separators = Array("\"(),/:;<=>?@[\\]{}".utf8)
        if header.key.isEmpty
            || header.key.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || separators.contains($0) })
        {
            report.error("a header's name has letters, digits and '-', no blanks", at: header.keyRange)
        } else if reserved.contains(header.key.lowercased()) {
            report.error("'\(header.key)' is written by the adapter itself: leave it out", at: header.keyRange)
        }
        if case .scalar(let scalar) = header.value.content, scalar.text.unicodeScalars.contains(where: \.isControl) {
            report.error("'\(header.key)' has a line break or a control character: it is one line", at: header.keyRange)
        }
    }

    /// A text, or the secret that is kept elsewhere.
    private func text(_ entry: YAMLEntry) -> ChannelSettings.Text? {
        if case .mapping = entry.value.content { return report.secret(entry).map { .secret($0) } }
        report.hide(entry.value.range)
        if entry.key.namesCredential { return report.secret(entry).map { .secret($0) } }
        return report.text(entry).map { .text($0) }
    }
}

extension UnicodeScalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control && self != "\t" }
}

extension String {
    /// Letters, digits, `-` and `_` of ASCII.
    fileprivate var isName: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy {
                $0 == "-" || $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
            }
    }
}

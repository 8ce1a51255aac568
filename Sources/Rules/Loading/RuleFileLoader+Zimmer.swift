import CEL

extension RuleFileLoader {
    func zimmer(_ entry: YAMLEntry) -> ZimmerSettings? {
        guard let fields = Fields(entry.value, of: "'zimmer'", Language.zimmer, hidesUnknown: true, report) else {
            return nil
        }
        let url = fields.required("url", ": where Zimmer is").flatMap(address)
        let apiKey = fields.required("api_key", ": {env: NAME} or {file: PATH}").flatMap(report.secret)
        let webURL = fields["web_url"].flatMap(address)
        let polling = fields["poll"].map(self.polling) ?? ZimmerSettings.Polling()
        let limit = fields["limit"].map(serverLimit) ?? ServerLimit()
        let allow = fields["allow"].flatMap(self.allow)
        let edgeToken = fields["edge_token"].flatMap(report.secret)
        let signIn = fields["sign_in"].flatMap(self.signIn)
        let quickRouterKey = fields["quick_router_key"].flatMap(self.quickRouterKey)
        let caFile = fields["ca_file"].flatMap { report.text($0, "a path") }
        let heartbeat = fields["heartbeat"].flatMap(self.heartbeat)
        guard let url, let apiKey else { return nil }
        var settings = ZimmerSettings(url: url, webURL: webURL, apiKey: apiKey)
        settings.polling = polling
        settings.limit = limit
        settings.allow = allow
        settings.edgeToken = edgeToken
        settings.signIn = signIn
        settings.quickRouterKey = quickRouterKey
        settings.caFile = caFile
        settings.heartbeat = heartbeat
        return settings
    }

    private func signIn(_ entry: YAMLEntry) -> ZimmerSettings.SignIn? {
        guard let fields = Fields(entry.value, of: "'sign_in'", Language.signIn, report) else { return nil }
        let client = fields.required("client", ": \(Language.firstPartyClient), or a registered one").flatMap(
            self.client)
        let person = fields.required("person", ": who may confirm what is done as a person").flatMap {
            report.word($0, "a person as a channel names them")
        }
        guard let client, let person else { return nil }
        return ZimmerSettings.SignIn(client: client, person: person)
    }

    private func client(_ entry: YAMLEntry) -> String? {
        let (own, prefix) = (Language.firstPartyClient, Language.registeredClientPrefix)
        guard let client = report.word(entry, own) else { return nil }
        let isRegistered = client.hasPrefix(prefix) && client.utf8.count > prefix.utf8.count
        guard client == own || isRegistered, client.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            report.error(
                "'client' takes \(own), or the \(prefix)… that 'zimmer-bot login --register' prints, not '\(client)'",
                at: entry.value.range, suggestion: NearMiss.best(of: [own], for: client))
            return nil
        }
        return client
    }

    private func quickRouterKey(_ entry: YAMLEntry) -> SecretReference? {
        report.warning("'quick_router_key' is not used by any step of this version", at: entry.keyRange)
        return report.secret(entry)
    }

    /// A web address, without a slash at its end and without a password in it.
    private func address(_ entry: YAMLEntry) -> String? {
        guard let text = report.word(entry, "an address such as https://zimmer.example.com") else { return nil }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0]), let host = parts[1].split(separator: "/").first,
            !["/", ":"].contains(parts[1].first), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            report.error("'\(entry.key)' takes an address such as https://zimmer.example.com", at: entry.value.range)
            return nil
        }
        guard !host.contains("@") else {
            report.hide(entry.value.range)
            report.error("'\(entry.key)' takes an address without a name and password in it", at: entry.value.range)
            return nil
        }
        guard !text.contains(where: { "?#".contains($0) }) else {
            report.hide(entry.value.range)
            report.error("'\(entry.key)' takes an address without a '?' or '#' part", at: entry.value.range)
            return nil
        }
        guard Self.hasPossiblePort(host) else {
            report.error("'\(entry.key)' has a port that there is not: 1 to 65535", at: entry.value.range)
            return nil
        }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        if address.hasSuffix("/api/v1") {
            report.error(
                "'\(entry.key)' takes an address without '/api/v1', which is added", at: entry.value.range,
                suggestion: String(address.dropLast(7)))
            return nil
        }
        return address
    }

    /// `host`, `host:PORT`, `[::1]` or `[::1]:PORT`.
    private static func hasPossiblePort(_ host: Substring) -> Bool {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return true }
        return Int(digits: host[host.index(after: colon)...]).map { (1...65_535).contains($0) } ?? false
    }

    private func polling(_ entry: YAMLEntry) -> ZimmerSettings.Polling {
        var polling = ZimmerSettings.Polling()
        guard let fields = Fields(entry.value, of: "'poll'", Language.poll, report) else { return polling }
        let intervals: [(String, WritableKeyPath<ZimmerSettings.Polling, Duration>)] = [
            ("board", \.board), ("inbox", \.inbox), ("health", \.health), ("costs", \.costs),
            ("triggers", \.triggers), ("elicitations", \.elicitations), ("backlog", \.backlog),
        ]
        for (name, path) in intervals {
            guard let entry = fields[name], let interval = report.duration(entry, atLeast: .seconds(1)) else {
                continue
            }
            polling[keyPath: path] = interval
            polling.written.insert(name)
            if interval < .seconds(15) {
                report.warning(
                    "'\(name)' is read every \(interval.humanized): under 15 s is hard on Zimmer", at: entry.value.range
                )
            }
        }
        return polling
    }

    private func heartbeat(_ entry: YAMLEntry) -> ZimmerSettings.Heartbeat? {
        guard
            let fields = Fields(entry.value, of: "'heartbeat'", Language.signOfLife, hidesUnknown: true, report),
            let url = fields.required("url", ": {env: NAME} or {file: PATH}").flatMap(report.secret)
        else { return nil }
        var heartbeat = ZimmerSettings.Heartbeat(url: url)
        let every = fields["every"].flatMap {
            report.duration($0, atLeast: .seconds(1), atMost: .seconds(86_400))
        }
        if let every { heartbeat.interval = every }
        return heartbeat
    }

    private func serverLimit(_ entry: YAMLEntry) -> ServerLimit {
        var limit = ServerLimit()
        guard let fields = Fields(entry.value, of: "'limit'", Language.serverLimit, report) else { return limit }
        if let number = fields["per_hour"].flatMap({ report.integer($0, in: 0...Int.max) }) { limit.perHour = number }
        if let number = fields["per_day"].flatMap({ report.integer($0, in: 0...Int.max) }) { limit.perDay = number }
        return limit
    }

    private func allow(_ entry: YAMLEntry) -> Set<String>? {
        report.elements(entry).map { steps in
            Set(steps.compactMap { report.choice($0, Language.writes) })
        }
    }

    func notices(_ entry: YAMLEntry, _ channels: Channels) -> NoticeSettings? {
        guard let fields = Fields(entry.value, of: "'notices'", Language.notices, report),
            let names = fields.required("channels", ": [CHANNEL]").flatMap(report.elements)
        else { return nil }
        var settings = NoticeSettings(channels: names.compactMap { report.channel($0, of: channels.names) })
        if names.isEmpty { report.error("'channels' names no channel", at: entry.keyRange) }
        if let time = fields["cannot_tell_after"].flatMap({ report.duration($0) }) { settings.cannotTellAfter = time }
        return settings
    }
}

extension DiagnosticCollector {
    /// The name of a channel that the file declares.
    func channel(_ entry: YAMLEntry, of names: [String]) -> String? {
        guard let name = word(entry, "the name of a channel") else { return nil }
        if names.contains(name) { return name }
        let known = names.isEmpty ? ": 'channels' declares none" : ": there are \(names.joined(separator: ", "))"
        let suggestion = NearMiss.best(of: names, for: name)
        missing("there is no channel '\(name)'" + (suggestion == nil ? known : ""), at: entry.value.range, suggestion)
        return nil
    }
}

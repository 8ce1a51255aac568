package import CEL

extension RuleFile {
    /// What is longer is refused.
    package static let maximumBytes = YAMLReader.Limit.bytes

    /// Reads a rules file and reports everything wrong with it at once, in the order of the file.
    ///
    /// Reads nothing else: secrets are references, and no server is asked.
    ///
    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: its path, as positions show it.
    ///   - channels: the kinds of channels that there are.
    ///   - now: for warnings that show the next times of a schedule.
    /// - Returns: The file, nil when a diagnostic is an error.
    package static func load(
        _ text: some Sequence<UInt8>, file: String, vocabulary: Vocabulary, channels: [ChannelSchema], now: Timestamp
    ) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        let bytes = Array(text)
        let valid = bytes.validUTF8Prefix
        let report = DiagnosticCollector(SourceText(bytes[..<valid], file: file))
        guard valid == bytes.count else {
            let end = report.source.bytes.count
            report.error("this is not UTF-8, the only encoding of rules files", at: end..<end)
            return (nil, report.finish())
        }
        report.secretKeys = Set(
            ["api_key", "edge_token", "quick_router_key"]
                + channels.flatMap { $0.keys.filter { $0.type.holdsSecrets }.map(\.name) })
        guard let root = YAMLDocument(report).root else { return (nil, report.finish()) }
        let loaded = RuleFileLoader(report, vocabulary: vocabulary, schemas: channels, now: now).load(root)
        let diagnostics = report.finish()
        return (report.hasErrors ? nil : loaded, diagnostics)
    }
}

extension [UInt8] {
    /// How many bytes from the start on are UTF-8.
    var validUTF8Prefix: Int {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = makeIterator()
        var count = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
        return count
    }
}

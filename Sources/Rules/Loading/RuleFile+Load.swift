package import CEL

extension RuleFile {
    /// What is longer is refused.
    package static let maximumBytes = YAMLReader.Limit.bytes

    /// Reads a rules file and reports everything wrong with it at once: in the order of the file, then in those that it
    /// includes.
    ///
    /// Reads nothing else: secrets are references, and no server is asked.
    ///
    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: its path, as positions show it.
    ///   - channels: the kinds of channels that there are.
    ///   - now: for warnings that show the next times of a schedule.
    ///   - reader: reads what the file includes; without it `include` is an error.
    /// - Returns: The file, nil when a diagnostic is an error.
    package static func load(
        _ text: some Sequence<UInt8>, file: String, vocabulary: Vocabulary, channels: [ChannelSchema], now: Timestamp,
        including reader: (any RuleFileReader)? = nil
    ) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        let secretKeys =
            ["api_key", "edge_token", "quick_router_key"]
            + channels.flatMap { $0.keys.filter { $0.type.holdsSecrets }.map(\.name) }
        let (report, root) = DiagnosticCollector.open(Array(text), file: file, secretKeys: Set(secretKeys))
        guard let root else { return (nil, report.finish()) }
        let loader = RuleFileLoader(report, vocabulary: vocabulary, schemas: channels, now: now, reader: reader)
        let (loaded, included) = loader.load(root)
        let reports = [report] + included
        return (reports.contains { $0.hasErrors } ? nil : loaded, reports.flatMap { $0.finish() })
    }
}

extension DiagnosticCollector {
    /// The tree of a file, nil where nothing of it can be read, and what there is to say about it so far.
    static func open(
        _ bytes: [UInt8], file: String, secretKeys: Set<String>
    ) -> (report: DiagnosticCollector, root: YAMLNode?) {
        let valid = bytes.validUTF8Prefix
        let report = DiagnosticCollector(SourceText(bytes[..<valid], file: file))
        report.secretKeys = secretKeys
        guard valid == bytes.count else {
            let end = report.source.bytes.count
            report.error("this is not UTF-8, the only encoding of rules files", at: end..<end)
            return (report, nil)
        }
        return (report, YAMLDocument(report).root)
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

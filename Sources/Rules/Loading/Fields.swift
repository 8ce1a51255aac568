import CEL

/// A map of the file whose keys are known: what is unknown is reported as soon as it is opened.
struct Fields {
    let report: DiagnosticCollector
    /// What the map is, for messages: `a rule`.
    let what: String
    let range: Range<Int>
    private let entries: [String: YAMLEntry]
    let ordered: [YAMLEntry]
    /// Without those that were reported as unknown.
    let known: [YAMLEntry]

    /// - Parameter hidesUnknown: the value of an unknown key might be a secret under a misspelt name, and is not shown.
    init?(
        _ node: YAMLNode, of what: String, _ keys: Language.Keys, hidesUnknown: Bool = false,
        _ report: DiagnosticCollector
    ) {
        guard let map = node.map(as: what, report) else { return nil }
        self.report = report
        self.what = what
        range = node.range
        ordered = map
        known = map.filter { keys.known.contains($0.key) }
        entries = Dictionary(map.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in map where !keys.known.contains(entry.key) {
            if hidesUnknown { report.hide(entry.value.range) }
            report.unknown(entry, of: what, keys)
        }
    }

    subscript(key: String) -> YAMLEntry? { entries[key] }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// The entry, or an error at the map's beginning that says it is missing.
    func required(_ key: String, _ hint: String = "") -> YAMLEntry? {
        if let entry = entries[key] { return entry }
        report.missing("\(what) needs '\(key)'\(hint)", at: ordered.first?.keyRange ?? range)
        return nil
    }
}

extension DiagnosticCollector {
    fileprivate func unknown(_ entry: YAMLEntry, of what: String, _ keys: Language.Keys) {
        if keys.later.contains(entry.key) {
            error(Language.notSupported(entry.key), at: entry.keyRange)
        } else {
            let suggestion = NearMiss.best(of: keys.known, for: entry.key)
            let known = suggestion == nil ? ": there are \(keys.known.joined(separator: ", "))" : ""
            error("\(what) has no key '\(entry.key)'\(known)", at: entry.keyRange, suggestion: suggestion)
        }
    }
}

extension YAMLNode {
    func map(as what: String, _ report: DiagnosticCollector) -> [YAMLEntry]? {
        switch content {
        case .mapping(let entries): return entries
        case .unreadable: return nil
        case .scalar, .sequence:
            report.error("\(what) has to be a map of keys and values", at: range.prefix(1))
            return nil
        }
    }
}

import CEL

/// What people do in a step, and what Zimmer makes of writes.
extension StepReader {
    static let wishKeys = ["ack", "pause", "resume", "mute", "run-rule", "release", "approve", "deny"]
    private static let pauseKeys = Language.Keys(known: ["rule", "for"])

    /// In the order in which they are written.
    func wishes(_ fields: Fields) -> [ScenarioFile.Wish] {
        fields.ordered.filter { Self.wishKeys.contains($0.key) }.flatMap(wishes)
    }

    private func wishes(_ entry: YAMLEntry) -> [ScenarioFile.Wish] {
        switch entry.key {
        case "release": names(entry).map { .release(rule: $0) }
        case "resume": names(entry).map { .resume(rule: $0) }
        case "run-rule": names(entry).map { .run(rule: $0) }
        case "mute": report.duration(entry).map { [.mute(for: $0)] } ?? []
        case "ack" where report.isAll(entry): [.acknowledge(rule: nil, nil)]
        case "ack": about(entry).map { .acknowledge(rule: $0.rule, $0.subject) }
        case "approve": about(entry).map { .answer(rule: $0.rule, $0.subject, isYes: true) }
        case "deny": about(entry).map { .answer(rule: $0.rule, $0.subject, isYes: false) }
        default: elements(entry).compactMap(pause)
        }
    }

    /// One or a list, of names or of maps.
    private func elements(_ entry: YAMLEntry) -> [YAMLEntry] {
        if case .mapping = entry.value.content { [entry] } else { report.elements(entry) ?? [] }
    }

    private func names(_ entry: YAMLEntry) -> [String] {
        report.ruleNames(entry, in: rules)
    }

    /// `RULE`, or `{rule: RULE, for: 2h}`.
    private func pause(_ entry: YAMLEntry) -> ScenarioFile.Wish? {
        guard case .mapping = entry.value.content else {
            return names(entry).first.map { .pause(rule: $0, for: nil) }
        }
        guard let fields = Fields(entry.value, of: "'\(entry.key)'", Self.pauseKeys, report),
            let rule = fields.required("rule").flatMap({ names($0).first })
        else { return nil }
        return .pause(rule: rule, for: fields["for"].flatMap { report.duration($0, atLeast: .seconds(1)) })
    }

    /// `RULE`, or `{rule: RULE, session: 7}`, or a list of either.
    private func about(_ entry: YAMLEntry) -> [(rule: String, subject: SubjectID?)] {
        elements(entry).compactMap { element in
            guard case .mapping = element.value.content else {
                return names(element).first.map { ($0, nil) }
            }
            let keys = Language.Keys(known: ["rule"] + words.collections)
            guard let fields = Fields(element.value, of: "'\(entry.key)'", keys, report),
                let rule = fields.required("rule").flatMap({ names($0).first })
            else { return nil }
            return (rule, report.subject(fields, words))
        }
    }

    /// One word for all writes, or one for each step's word.
    func fates(_ entry: YAMLEntry) -> [String: ScenarioFile.WriteFate] {
        let all = Language.writes
        guard case .mapping = entry.value.content else {
            guard let fate = fate(entry) else { return [:] }
            return Dictionary(uniqueKeysWithValues: all.map { ($0, fate) })
        }
        let fields = Fields(entry.value, of: "'\(entry.key)'", Language.Keys(known: all), report)
        return (fields?.ordered ?? []).reduce(into: [:]) { fates, entry in fates[entry.key] = fate(entry) }
    }

    private func fate(_ entry: YAMLEntry) -> ScenarioFile.WriteFate? {
        report.choice(entry, ScenarioFile.WriteFate.allCases.map(\.rawValue)).flatMap(ScenarioFile.WriteFate.init)
    }
}

extension DiagnosticCollector {
    /// `true` in place of names.
    fileprivate func isAll(_ entry: YAMLEntry) -> Bool {
        guard case .scalar(let scalar) = entry.value.content else { return false }
        return scalar.style == .plain && scalar.text == "true"
    }

    /// A thing of which there are many, named by its word and id.
    func subject(_ fields: Fields, _ words: ScenarioWords) -> SubjectID? {
        guard let key = words.collections.first(where: fields.has), let entry = fields[key] else { return nil }
        return word(entry, "the id of a \(key)").map { SubjectID(type: key, id: $0) }
    }
}

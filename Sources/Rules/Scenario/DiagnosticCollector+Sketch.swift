import CEL

extension DiagnosticCollector {
    /// A value by its declared type; nil after an error.
    func sketch(_ entry: YAMLEntry, as type: Type, _ words: ScenarioWords, known: [String] = []) -> Sketch? {
        if case .nullable(let inner) = type {
            if entry.value.isPlainNull { return .value(.null) }
            return sketch(entry, as: inner, words, known: known)
        }
        switch type {
        case .bool: return boolean(entry).map { .value(.bool($0)) }
        case .int, .uint: return integer(entry, in: .min ... .max).map { .value(.int(Int64($0))) }
        case .double: return number(entry).map { .value(.double($0)) }
        case .string: return text(entry, among: known).map { .value(.string($0)) }
        case .timestamp: return moment(entry)
        case .duration: return duration(entry).map { .value(.duration($0)) }
        case .list(let element): return list(entry, of: element, words)
        case .object(let type): return object(entry, of: type, words)
        case .map(_, .object(let type)): return map(entry, of: .object(type), words)
        default: return Constants.value(entry, self).map { .value($0.1) }
        }
    }

    private func number(_ entry: YAMLEntry) -> Double? {
        guard let text = word(entry, "a number") else { return nil }
        if let number = Double(text), number.isFinite { return number }
        error("'\(entry.key)' takes a number, not '\(text)'", at: entry.value.range)
        return nil
    }

    /// A newer Zimmer may send a word that is not known yet, so another one is only a warning.
    private func text(_ entry: YAMLEntry, among known: [String]) -> String? {
        guard let text = text(entry) else { return nil }
        if !known.isEmpty, !known.contains(text) {
            warning(
                "'\(entry.key)' is \(known.joined(separator: ", ")) as far as is known, not '\(text)'",
                at: entry.value.range, suggestion: NearMiss.best(of: known, for: text))
        }
        return text
    }

    /// RFC 3339, or a distance from the step: `-2h`, `+3d`.
    private func moment(_ entry: YAMLEntry) -> Sketch? {
        let what = "a time such as 2026-10-09T12:00:00Z, or -2h for two hours before the step"
        guard let text = word(entry, what) else { return nil }
        if let sign = text.first, sign == "-" || sign == "+",
            let distance = Duration(ruleText: String(text.dropFirst()))
        {
            return .fromNow(sign == "-" ? .zero - distance : distance)
        }
        if let time = try? Timestamp(parsing: text) { return .value(.timestamp(time)) }
        error("'\(entry.key)' takes \(what), not '\(text)'", at: entry.value.range)
        return nil
    }

    func instant(_ entry: YAMLEntry) -> Timestamp? {
        let what = "a time such as 2026-10-09T12:00:00Z"
        guard let text = word(entry, what) else { return nil }
        if let time = try? Timestamp(parsing: text) { return time }
        error("'\(entry.key)' takes \(what), not '\(text)'", at: entry.value.range)
        return nil
    }

    private func list(_ entry: YAMLEntry, of element: Type, _ words: ScenarioWords) -> Sketch? {
        guard case .sequence(let nodes) = entry.value.content else {
            if case .unreadable = entry.value.content { return nil }
            error("'\(entry.key)' takes a list", at: entry.value.range.prefix(1))
            return nil
        }
        let elements = nodes.map { YAMLEntry(key: entry.key, keyRange: entry.keyRange, value: $0) }
        let sketches = elements.compactMap { sketch($0, as: element, words) }
        return sketches.count == nodes.count ? .list(sketches) : nil
    }

    private func map(_ entry: YAMLEntry, of type: Type, _ words: ScenarioWords) -> Sketch? {
        guard let entries = entry.value.map(as: "'\(entry.key)'", self) else { return nil }
        return .map(entries.compactMap { entry in sketch(entry, as: type, words).map { (entry.key, $0) } })
    }

    func object(_ entry: YAMLEntry, of type: ObjectType, _ words: ScenarioWords) -> Sketch? {
        object(entry.value, of: type, words).map(Sketch.object)
    }

    /// The fields that are written down. What is wrong with one does not keep the others from being read.
    func object(_ node: YAMLNode, of type: ObjectType, _ words: ScenarioWords) -> [String: Sketch]? {
        let elapsed = words.elapsed[type.name] ?? [:]
        let derived = words.derived[type.name] ?? [:]
        let known = type.fields.filter { $0.compute == nil || elapsed[$0.name] != nil }.map(\.name)
        let keys = Language.Keys(known: known.filter { derived[$0] == nil } + Array(derived.keys).sorted())
        guard let fields = Fields(node, of: "'\(type.name)'", keys, self) else { return nil }
        var sketches: [String: Sketch] = [:]
        for entry in fields.ordered {
            if let hint = derived[entry.key] {
                error("'\(entry.key)' follows from other fields: \(hint)", at: entry.keyRange)
                continue
            }
            guard let field = type.fields.first(where: { $0.name == entry.key }) else { continue }
            guard let since = elapsed[field.name] else {
                sketches[field.name] = sketch(entry, as: field.type, words, known: field.knownValues)
                continue
            }
            if fields.has(since) {
                error("'\(field.name)' counts from '\(since)': write one of them", at: entry.keyRange)
            } else if let passed = duration(entry) {
                sketches[since] = .fromNow(.zero - passed)
            }
        }
        return sketches
    }
}

extension YAMLNode {
    fileprivate var isPlainNull: Bool {
        guard case .scalar(let scalar) = content, scalar.style == .plain else { return false }
        return scalar.text == "null" || scalar.text == "~"
    }
}

import CEL

/// `vars:`: names for values that never change. Their type is an object's, so that a misspelt name is found.
struct Constants {
    let object: Object

    /// - Parameter parts: the files that may have `vars`.
    init(_ parts: [RuleFilePart]) {
        var fields: [ObjectType.Field] = []
        var values: [Value] = []
        var places: [String: SourcePosition] = [:]
        for (part, entry) in parts.flatMap({ part in part.entries(of: "vars").map { (part, $0) } }) {
            let report = part.report
            guard entry.key.isVariableName else {
                report.error("'\(entry.key)' is no name that an expression could use", at: entry.keyRange)
                continue
            }
            if let place = places[entry.key] {
                report.error("'\(entry.key)' is in 'vars' already, at \(place)", at: entry.keyRange)
                continue
            }
            places[entry.key] = report.source.position(at: entry.keyRange.lowerBound)
            // A value that is wrong still has its name, or every use of it would be an error too.
            let (type, value) = Self.value(entry, report) ?? (.dyn, .null)
            fields.append(ObjectType.Field(entry.key, type))
            values.append(value)
        }
        object = Object(ObjectType("vars", fields), values)
    }

    static func value(_ entry: YAMLEntry, _ report: DiagnosticCollector) -> (Type, Value)? {
        switch entry.value.content {
        case .unreadable: return nil
        case .scalar(let scalar):
            guard let text = report.text(entry, "a value") else { return nil }
            return scalar.style == .plain ? plain(text) : (.string, .string(text))
        case .sequence(let nodes):
            let elements = nodes.compactMap { node in
                value(YAMLEntry(key: entry.key, keyRange: entry.keyRange, value: node), report)
            }
            return (.list(common(elements.map(\.0))), .list(elements.map(\.1)))
        case .mapping(let entries):
            let values = entries.compactMap { entry in value(entry, report).map { (entry.key, $0) } }
            return (
                .map(.string, common(values.map(\.1.0))),
                .map(MapValue(values.map { (key: .string($0.0), value: $0.1.1) }))
            )
        }
    }

    /// Plain true and false, integers and decimals are that; everything else is text.
    private static func plain(_ text: String) -> (Type, Value) {
        // No number is longer, and a long text can stand in many places through aliases.
        guard text.utf8.count <= 400 else { return (.string, .string(text)) }
        if text == "true" || text == "false" { return (.bool, .bool(text == "true")) }
        let parts = (text.hasPrefix("-") ? text.dropFirst() : text[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.count <= 2 && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        let hasLeadingZero = parts[0].count > 1 && parts[0].hasPrefix("0")
        guard isNumber, !hasLeadingZero, parts.allSatisfy({ !$0.isEmpty }) else { return (.string, .string(text)) }
        if parts.count == 1 { return Int64(text).map { (.int, .int($0)) } ?? (.string, .string(text)) }
        return Double(text).map { (.double, .double($0)) } ?? (.string, .string(text))
    }

    private static func common(_ types: [Type]) -> Type {
        guard let first = types.first, types.allSatisfy({ $0 == first }) else { return .dyn }
        return first
    }
}

extension RuleFilePart {
    fileprivate func entries(of key: String) -> [YAMLEntry] {
        fields[key].flatMap { $0.value.map(as: "'\(key)'", report) } ?? []
    }
}

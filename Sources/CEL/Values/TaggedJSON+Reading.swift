extension Value {
    /// Reads what `taggedJSON` writes.
    ///
    /// - Throws: `invalidArgument` for anything else, and for objects and errors; `overflow` for times out of range.
    package init(taggedJSON text: String) throws(EvaluationError) {
        try self.init(taggedJSON: Array(text.utf8))
    }

    package init(taggedJSON text: [UInt8]) throws(EvaluationError) {
        self = try Value(tagged: JSONDocument(reporting: text))
    }

    fileprivate init(tagged document: JSONDocument) throws(EvaluationError) {
        guard case .object(let members) = document, case .string(let tag)? = members["t"] else { throw .notTagged }
        switch (tag, members["v"]) {
        case ("null", nil): self = .null
        case ("optional", nil): self = .optional(.none)
        case ("optional", let wrapped?): self = .optional(OptionalValue(try Value(tagged: wrapped)))
        case ("bool", .bool(let bool)): self = .bool(bool)
        case ("list", .array(let elements)): self = .list(try Value.list(tagged: elements))
        case ("map", .array(let pairs)): self = .map(try MapValue(tagged: pairs))
        case ("timestamp", _): self = .timestamp(try Timestamp(tagged: members))
        case ("duration", _): self = .duration(try Duration(tagged: members))
        case (_, .string(let text)): self = try Value(tag: tag, text: text)
        default: throw .notTagged
        }
    }

    fileprivate static func list(tagged elements: [JSONDocument]) throws(EvaluationError) -> [Value] {
        var values: [Value] = []
        for element in elements { values.append(try Value(tagged: element)) }
        return values
    }

    private init(tag: String, text: String) throws(EvaluationError) {
        let value: Value? =
            switch tag {
            case "int": Int64(text).map(Value.int)
            case "uint": UInt64(text).map(Value.uint)
            case "double": Double(text).map(Value.double)
            case "string": .string(text)
            case "bytes": Base64.decode(text).map(Value.bytes)
            case "type": .type(Type(runtimeName: text))
            default: nil
            }
        guard let value else {
            throw EvaluationError(.invalidArgument, "'\(text.prefix(64))' is not a tagged \(tag.prefix(64))")
        }
        self = value
    }
}

extension [String: Value] {
    /// Reads variables: an object with a tagged value for each name.
    package init(taggedJSON text: [UInt8]) throws(EvaluationError) {
        guard case .object(let members) = try JSONDocument(reporting: text) else {
            throw EvaluationError(.invalidArgument, "not an object with a tagged value for each name")
        }
        self = [:]
        for (name, member) in members {
            do {
                self[name] = try Value(tagged: member)
            } catch {
                throw EvaluationError(error.code, "'\(name.prefix(64))': \(error.message)")
            }
        }
    }
}

extension JSONDocument {
    fileprivate init(reporting text: [UInt8]) throws(EvaluationError) {
        do {
            try self.init(reading: text)
        } catch {
            throw EvaluationError(.invalidArgument, "not JSON: unexpected text at offset \(error.offset)")
        }
    }
}

extension MapValue {
    fileprivate convenience init(tagged pairs: [JSONDocument]) throws(EvaluationError) {
        var entries: [(key: Value, value: Value)] = []
        for pair in pairs {
            guard case .array(let entry) = pair, entry.count == 2 else { throw .notTagged }
            let values = try Value.list(tagged: entry)
            entries.append((values[0], values[1]))
        }
        try self.init(validating: entries)
    }
}

extension Timestamp {
    fileprivate init(tagged members: [String: JSONDocument]) throws(EvaluationError) {
        let (seconds, nanoseconds) = try secondsAndNanoseconds(members)
        guard (0..<1_000_000_000).contains(nanoseconds) else { throw .notTagged }
        try self.init(checking: seconds, nanoseconds: nanoseconds)
    }
}

extension Duration {
    fileprivate init(tagged members: [String: JSONDocument]) throws(EvaluationError) {
        let (seconds, nanoseconds) = try secondsAndNanoseconds(members)
        self = try Duration.seconds(seconds).adding(.nanoseconds(Int64(nanoseconds)))
    }
}

private func secondsAndNanoseconds(_ members: [String: JSONDocument]) throws(EvaluationError) -> (Int64, Int32) {
    guard case .string(let seconds)? = members["seconds"], case .number(let nanoseconds)? = members["nanos"],
        let seconds = Int64(seconds), let nanoseconds = Int32(nanoseconds)
    else { throw .notTagged }
    return (seconds, nanoseconds)
}

extension EvaluationError {
    fileprivate static var notTagged: EvaluationError {
        EvaluationError(.invalidArgument, "not a tagged value such as {\"t\":\"int\",\"v\":\"2\"}")
    }
}

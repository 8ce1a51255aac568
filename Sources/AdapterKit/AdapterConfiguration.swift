/// The values of a channel, checked against its kind's schema and completed with the defaults.
public struct AdapterConfiguration: Sendable {
    private let values: [String: ConfigurationValue]
    private let sections: [String: ConfigurationSchema]

    /// - Throws: The first problem: a key that the schema does not have, a value of another type, a required key that is
    ///   absent. The loader of the rules file finds them all, with positions, before it comes here.
    public init(schema: ConfigurationSchema, values: [String: ConfigurationValue]) throws(ConfigurationError) {
        for name in values.keys.sorted() where schema.key(name) == nil {
            throw ConfigurationError(key: name, "is not a key of this adapter")
        }
        var completed = values
        for key in schema.keys {
            guard let value = values[key.name] else {
                if key.isRequired { throw ConfigurationError(key: key.name, "is missing") }
                completed[key.name] = key.defaultValue
                continue
            }
            try Self.check(value, against: key)
        }
        self.values = completed
        sections = Dictionary(
            schema.keys.compactMap { key in
                if case .section(let schema) = key.type { (key.name, schema) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
    }

    public func has(_ key: String) -> Bool {
        values[key] != nil
    }

    public func text(_ key: String) throws(ConfigurationError) -> String {
        guard case .text(let text) = values[key] else { throw missing(key, "a text") }
        return text
    }

    public func secret(_ key: String) throws(ConfigurationError) -> Secret {
        guard case .secret(let secret) = values[key] else { throw missing(key, "a secret") }
        return secret
    }

    public func integer(_ key: String) throws(ConfigurationError) -> Int {
        guard case .integer(let integer) = values[key] else { throw missing(key, "an integer") }
        return integer
    }

    public func boolean(_ key: String) throws(ConfigurationError) -> Bool {
        guard case .boolean(let boolean) = values[key] else { throw missing(key, "true or false") }
        return boolean
    }

    public func duration(_ key: String) throws(ConfigurationError) -> Duration {
        guard case .duration(let duration) = values[key] else { throw missing(key, "a duration such as 15s") }
        return duration
    }

    /// Empty where the key is absent.
    public func textList(_ key: String) throws(ConfigurationError) -> [String] {
        guard let value = values[key] else { return [] }
        guard case .textList(let texts) = value else { throw missing(key, "a list of texts") }
        return texts
    }

    /// Empty where the key is absent.
    public func headers(_ key: String) throws(ConfigurationError) -> [HTTPHeader] {
        guard let value = values[key] else { return [] }
        guard case .headers(let headers) = value else { throw missing(key, "a map of header names to values") }
        return headers
    }

    /// The values of a map with keys of its own; nil where the key is absent.
    public func section(_ key: String) throws(ConfigurationError) -> AdapterConfiguration? {
        guard let schema = sections[key], case .section(let values) = values[key] else { return nil }
        do {
            return try AdapterConfiguration(schema: schema, values: values)
        } catch {
            throw ConfigurationError(key: key, "\(error)")
        }
    }

    private func missing(_ key: String, _ expected: String) -> ConfigurationError {
        ConfigurationError(key: key, "needs \(expected)")
    }

    private static func check(
        _ value: ConfigurationValue, against key: ConfigurationKey
    ) throws(ConfigurationError) {
        switch (key.type, value) {
        case (.text, .text), (.secret, .secret), (.integer, .integer), (.boolean, .boolean), (.textList, .textList),
            (.path, .text):
            return
        case (.section(let schema), .section(let values)):
            do {
                _ = try AdapterConfiguration(schema: schema, values: values)
            } catch {
                throw ConfigurationError(key: key.name, "\(error)")
            }
        case (.duration(let most), .duration(let duration)):
            guard duration > .zero else { throw ConfigurationError(key: key.name, "takes more than nothing") }
            if let most, duration > most {
                throw ConfigurationError(key: key.name, "takes at most \(most.components.seconds) s")
            }
        case (.headers(let reserved), .headers(let headers)):
            for header in headers { try check(header, of: key, reserved) }
        case (.choice(let words, let later), .text(let word)):
            if words.contains(word) { return }
            if later.contains(word) {
                throw ConfigurationError(key: key.name, "'\(word)' is not supported by this version")
            }
            throw ConfigurationError(key: key.name, "takes \(words.joined(separator: ", ")), not '\(word)'")
        default:
            throw ConfigurationError(key: key.name, "has a value of another type than \(key.type)")
        }
    }
}

extension AdapterConfiguration {
    /// A line end in a header would begin another one.
    private static func check(
        _ header: HTTPHeader, of key: ConfigurationKey, _ reserved: [String]
    ) throws(ConfigurationError) {
        let separators = Array("\"(),/:;<=>?@[\\]{}".utf8)
        guard
            !header.name.isEmpty,
            header.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !separators.contains($0) })
        else { throw ConfigurationError(key: key.name, "has a name that HTTP does not allow") }
        guard !reserved.contains(header.name.lowercased()) else {
            throw ConfigurationError(key: key.name, "has '\(header.name)', which is written by the adapter itself")
        }
        guard header.value.reveal().utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw ConfigurationError(key: key.name, "has a control character in the value of '\(header.name)'")
        }
    }
}

extension ConfigurationKey.ValueType: CustomStringConvertible {
    public var description: String {
        switch self {
        case .text: "text"
        case .secret: "secret"
        case .integer: "integer"
        case .boolean: "boolean"
        case .duration: "duration"
        case .choice(let words, _): words.joined(separator: " | ")
        case .textList: "list of texts"
        case .headers: "headers"
        case .path: "path"
        case .section: "map"
        }
    }
}

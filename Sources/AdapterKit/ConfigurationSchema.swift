/// The keys that a kind of adapter has under `channels:`, for the loader, `check`, `schema` and the documentation.
public struct ConfigurationSchema: Hashable, Sendable {
    public var keys: [ConfigurationKey]

    public init(_ keys: [ConfigurationKey]) {
        self.keys = keys
    }

    public func key(_ name: String) -> ConfigurationKey? {
        keys.first { $0.name == name }
    }
}

/// One key of a schema.
public struct ConfigurationKey: Hashable, Sendable {
    /// How the value is read.
    public enum ValueType: Hashable, Sendable {
        case text
        /// `{env: NAME}`, `{file: PATH}` or `{credential: NAME}`; never written down in the file.
        case secret
        /// The path of a file, from the folder of the rules file.
        case path
        case integer
        case boolean
        /// More than nothing.
        case duration(atMost: Duration? = nil)
        /// One of these words. A word of `later` is known, and refused as not supported by this version.
        case choice([String], later: [String] = [])
        case textList
        /// A map of names to texts or secrets; without those that the adapter writes itself (in lower case).
        case headers(reserved: [String] = [])
        /// A map with keys of its own.
        indirect case section(ConfigurationSchema)
    }

    public var name: String
    public var type: ValueType
    public var isRequired: Bool
    /// Taken where the key is absent.
    public var defaultValue: ConfigurationValue?
    /// One sentence for the documentation.
    public var summary: String

    public init(
        _ name: String, _ type: ValueType, required isRequired: Bool = false,
        default defaultValue: ConfigurationValue? = nil, _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.summary = summary
    }
}

/// What stands beside a key. Choices and paths are texts.
public indirect enum ConfigurationValue: Hashable, Sendable {
    case text(String)
    case secret(Secret)
    case integer(Int)
    case boolean(Bool)
    case duration(Duration)
    case textList([String])
    case headers([HTTPHeader])
    case section([String: ConfigurationValue])
}

/// Something that the author of the file has to mend.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key whose value is wrong; nil where it is about the channel as a whole.
    public var key: String?
    /// What is wrong and what to write instead, without the key's name and without any secret.
    public var text: String

    public init(key: String? = nil, _ text: String) {
        self.key = key
        self.text = text
    }

    public var description: String { key.map { "'\($0)' \(text)" } ?? text }
}

/// The keys that a kind of channel has, as its adapter declares them.
package struct ChannelSchema: Sendable {
    /// How a value is read.
    package enum ValueType: Hashable, Sendable {
        case text
        case secret
        /// Of a file, from the folder of the rules file.
        case path
        case integer
        case boolean
        /// More than nothing.
        case duration(atMost: Duration? = nil)
        /// One of these words. A word of `later` is known, and refused as not supported by this version.
        case choice([String], later: [String] = [])
        case textList
        /// Names of HTTP headers with a text or a secret each; without those that are written anyway (in lower case).
        case headers(reserved: [String] = [])
        /// A map with keys of its own.
        indirect case section([Key])
    }

    package struct Key: Hashable, Sendable {
        package var name: String
        package var type: ValueType
        package var isRequired: Bool
        /// For the documentation: one sentence, and the default as it would be written.
        package var summary: String
        package var defaultText: String?

        package init(
            _ name: String, _ type: ValueType, required isRequired: Bool = false, default defaultText: String? = nil,
            _ summary: String = ""
        ) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.summary = summary
            self.defaultText = defaultText
        }
    }

    /// The word after `adapter:`.
    package var kind: String
    package var keys: [Key]

    package init(kind: String, keys: [Key]) {
        self.kind = kind
        self.keys = keys
    }
}

extension ChannelSchema.ValueType {
    /// A secret may be written below it.
    var holdsSecrets: Bool {
        switch self {
        case .secret, .headers, .section: true
        case .text, .path, .integer, .boolean, .duration, .choice, .textList: false
        }
    }
}

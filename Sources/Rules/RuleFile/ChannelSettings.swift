/// One entry of `channels:`, read by its adapter's schema.
package struct ChannelSettings: Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        case secret(SecretReference)
        case path(String)
        case integer(Int)
        case boolean(Bool)
        case duration(Duration)
        case textList([String])
        /// In the order of the file.
        case textMap([Entry])
        indirect case section([String: Value])

        fileprivate var secrets: [SecretReference] {
            switch self {
            case .secret(let secret): [secret]
            case .textMap(let entries):
                entries.compactMap { if case .secret(let secret) = $0.value { secret } else { nil } }
            case .section(let values): values.values.flatMap(\.secrets)
            case .text, .path, .integer, .boolean, .duration, .textList: []
            }
        }
    }

    /// An entry of a map: its value is a text or a secret.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var value: Text
    }

    package enum Text: Hashable, Sendable {
        case text(String)
        case secret(SecretReference)
    }

    package var name: String
    package var kind: String
    /// Only the keys that the file has.
    package var values: [String: Value]
    /// The keys that every kind has.
    package var delivery: ChannelDelivery
    package var position: SourcePosition
    /// Where the value of a key stands.
    package var positions: [String: SourcePosition]

    package init(
        name: String, kind: String, values: [String: Value], delivery: ChannelDelivery = ChannelDelivery(),
        position: SourcePosition,
        positions: [String: SourcePosition] = [:]
    ) {
        self.name = name
        self.kind = kind
        self.values = values
        self.delivery = delivery
        self.position = position
        self.positions = positions
    }

    package var secrets: [SecretReference] {
        values.values.flatMap(\.secrets).sorted { $0.position < $1.position }
    }
}

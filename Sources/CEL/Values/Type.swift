/// A static type, as the checker deduces it and as `type()` names it.
package indirect enum Type: Hashable, Sendable {
    case dyn
    case error
    case null
    case bool
    case int
    case uint
    case double
    case string
    case bytes
    case timestamp
    case duration
    case list(Type)
    case map(Type, Type)
    /// The type of a type; nil where it is not known which.
    case type(Type?)
    case object(ObjectType)
    case optional(Type)
    /// A type that also admits null. Reading a member of it, or ordering it, when it is null is the error `absent`.
    case nullable(Type)
    /// A type variable of a function's signature.
    case parameter(String)
    /// Any other named type, such as `net.IP`.
    case named(String, [Type])
}

extension Type: CustomStringConvertible {
    /// As a person writes it: `list(int)`, `timestamp`, `string or null`.
    package var description: String {
        switch self {
        case .list(let element): "list(\(element))"
        case .map(let key, let value): "map(\(key), \(value))"
        case .type(let type?): "type(\(type))"
        case .optional(let type): "optional_type(\(type))"
        case .nullable(let type): "\(type) or null"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .parameter(let name): name
        case .named(let name, let parameters) where !parameters.isEmpty:
            "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
        default: runtimeName
        }
    }

    /// The name by which `type()` knows it; parameters do not count there.
    package var runtimeName: String {
        switch self {
        case .dyn: "dyn"
        case .error: "error"
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .list: "list"
        case .map: "map"
        case .type: "type"
        case .object(let type): type.name
        case .optional: "optional_type"
        case .nullable(let type): type.runtimeName
        case .parameter(let name): name
        case .named(let name, _): name
        }
    }

    /// The type that `type()` names so; its parameters are not known.
    package init(runtimeName name: String) {
        let plain: [Type] = [
            .dyn, .error, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .list(.dyn),
            .map(.dyn, .dyn), .type(nil), .optional(.dyn),
        ]
        self = plain.first { $0.runtimeName.hasSameText(as: name) } ?? .named(name, [])
    }

    /// `a list(int)`, `an int`, as a message says what something is.
    package var withArticle: String {
        let name = description
        return "\("aeio".contains(name.first ?? "x") ? "an" : "a") \(name)"
    }

    /// The type when it is not null.
    package var withoutNull: Type {
        if case .nullable(let type) = self { type.withoutNull } else { self }
    }

    var isNullable: Bool {
        if case .nullable = self { true } else { false }
    }

    var isNumeric: Bool { self == .int || self == .uint || self == .double }
}

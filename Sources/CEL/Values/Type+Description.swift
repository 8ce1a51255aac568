extension Type: CustomStringConvertible {
    /// The type as a signature or a diagnostic shows it: `map(string, dyn)`, `int or null`.
    package var description: String {
        switch self {
        case .list(let element): "list(\(element))"
        case .map(let key, let value): "map(\(key), \(value))"
        case .type(let type?): "type(\(type))"
        case .optional(let wrapped): "optional_type(\(wrapped))"
        case .nullable(let type): "\(type) or null"
        case .named(let name, let arguments) where !arguments.isEmpty:
            "\(name)(\(arguments.map(\.description).joined(separator: ", ")))"
        default: runtimeName
        }
    }

    /// What `type(x)` prints for a value of this type: no type arguments.
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

    /// The type that `type(x)` prints so.
    package init(runtimeName name: String) {
        self =
            switch name {
            case "dyn": .dyn
            case "null_type": .null
            case "bool": .bool
            case "int": .int
            case "uint": .uint
            case "double": .double
            case "string": .string
            case "bytes": .bytes
            case "google.protobuf.Timestamp": .timestamp
            case "google.protobuf.Duration": .duration
            case "list": .list(.dyn)
            case "map": .map(.dyn, .dyn)
            case "type": .type(nil)
            case "optional_type": .optional(.dyn)
            default: .named(name, [])
            }
    }

    /// Whether `type(x) == type(y)` for values of these types: arguments do not exist at run time.
    func isSameAtRunTime(as other: Type) -> Bool {
        if case .object(let a) = self, case .object(let b) = other { return a == b }
        if case .object = self { return false }
        if case .object = other { return false }
        return runtimeName.hasSameCodePoints(as: other.runtimeName)
    }
}

extension Value {
    /// The type of this value as far as the value itself shows it: elements are `dyn`.
    package var runtimeType: Type {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .list: .list(.dyn)
        case .map: .map(.dyn, .dyn)
        case .type: .type(nil)
        case .object(let object): .object(object.type)
        case .optional: .optional(.dyn)
        case .error: .error
        }
    }

    /// The name of the value's type, for messages.
    package var typeName: String { runtimeType.runtimeName }
}

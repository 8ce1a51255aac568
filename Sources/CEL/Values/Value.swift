/// A CEL value, or the error that took its place.
///
/// Errors travel as values because `&&`, `||` and the quantifiers absorb them (langdef, "Logical Operators").
/// `==` of Swift is not defined here on purpose: CEL's equality is `Value.equals(_:)`, by code point and across numeric
/// types.
package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case timestamp(Timestamp)
    case duration(Duration)
    case list([Value])
    case map(MapValue)
    case type(Type)
    case object(Object)
    /// An optional of the `optional` library: a value, or none.
    case optional(OptionalValue)
    /// A value of a type that an extension brings, such as a network address.
    case opaque(any OpaqueValue)
    case error(EvaluationError)
}

/// The payload of an optional value; a class so that `Value` does not have to be indirect.
package final class OptionalValue: Sendable {
    package static let none = OptionalValue(nil)
    package let wrapped: Value?

    package init(_ wrapped: Value?) {
        self.wrapped = wrapped
    }
}

/// A value whose insides an expression cannot see. A class, as any other would make every `Value` twice as large.
package protocol OpaqueValue: AnyObject, Sendable {
    var type: Type { get }
    /// As `string(x)` gives it.
    var text: String { get }
    func isEqual(to other: any OpaqueValue) -> Bool
}

extension Value {
    /// The CEL name of the value's type, as `type()` gives it.
    package var typeName: String { runtimeType.runtimeName }

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
        case .opaque(let value): value.type
        case .error: .error
        }
    }
}

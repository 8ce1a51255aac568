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

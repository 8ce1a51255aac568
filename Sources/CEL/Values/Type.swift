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

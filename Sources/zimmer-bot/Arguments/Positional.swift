/// What is known of a positional argument without its type.
struct PositionalSpecification: Sendable {
    enum Arity: Sendable { case one, optional, oneOrMore }

    /// `EXPRESSION`
    let name: String
    let help: String
    let arity: Arity

    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        }
    }
}

protocol PositionalArgument: Sendable {
    var specification: PositionalSpecification { get }
}

/// An argument known by its place. `Value` is `String`, `String?` or `[String]`.
struct Positional<Value: Sendable>: PositionalArgument {
    let specification: PositionalSpecification
    /// Makes the value of the texts given, whose number the parser has checked.
    let read: @Sendable ([String]) -> Value
}

extension Positional where Value == String {
    static func required(_ name: String, _ help: String) -> Positional {
        Positional(specification: .init(name: name, help: help, arity: .one)) { $0.first ?? "" }
    }
}

extension Positional where Value == String? {
    static func optional(_ name: String, _ help: String) -> Positional {
        Positional(specification: .init(name: name, help: help, arity: .optional)) { $0.first }
    }
}

extension Positional where Value == [String] {
    static func oneOrMore(_ name: String, _ help: String) -> Positional {
        Positional(specification: .init(name: name, help: help, arity: .oneOrMore)) { $0 }
    }
}

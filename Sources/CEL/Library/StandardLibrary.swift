/// What every CEL environment has: the operators, by their names in `Operator`, and the functions of the language
/// definition ("List of Standard Definitions").
package enum StandardLibrary {
    package static let functions: [Function] =
        [
            Function(
                Operator.not, [.global { (bool: Bool) in !bool }], documentation: "Whether the condition does not hold."
            )
        ]
        + ArithmeticOperators.functions + ComparisonOperators.functions + Containers.functions + Conversions.functions
        + TextFunctions.functions + TimeAccessors.functions

    /// Overloads of the ordering operators between int, uint and double, by the operator's name. Standard CEL has them
    /// only where a type is not known before evaluation, so an environment adds them when it wants them.
    package static let mixedComparisons: [String: [Overload]] = ComparisonOperators.mixed

    /// What `container[key]` is, where the types are known only at run time: a position in a list may then be an int, a
    /// uint or a whole double.
    ///
    /// - Returns: The errors `indexOutOfRange` and `noSuchKey` for what is not there, `invalidArgument` for a position
    ///   that is no whole number, `noSuchOverload` for anything but a list or a map.
    package static func element(of container: Value, at key: Value) -> Value {
        Containers.element(of: container, at: key)
    }
}

/// The values of an environment's variables, by slot.
package struct Activation: Sendable {
    package private(set) var values: [Value]

    /// All variables of `environment`, unset: reading one that was never set is the error `noSuchVariable`.
    package init(_ environment: Environment) {
        values = environment.variables.map {
            .error(EvaluationError(.noSuchVariable, "'\($0.name)' has no value here"))
        }
    }

    package subscript(slot: Int) -> Value {
        get { values[slot] }
        set { values[slot] = newValue }
    }
}

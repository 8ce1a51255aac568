/// What an expression may name, and how strictly it is read.
package struct Environment: Sendable {
    package struct Options: Sendable {
        /// Reading through null, ordering null, a missing key and an index past the end are the error `absent`, and an
        /// element for which a quantifier's or filter's predicate is absent does not hold. Standard CEL when false.
        package var absence = false
        /// The checker accepts comparisons between int, uint and double. Standard CEL when false.
        package var mixedComparisons = false

        package init() {}
    }

    package var options: Options
    private(set) var variables: [(name: String, type: Type)] = []

    package init(options: Options = Options()) {
        self.options = options
    }

    /// Declares a variable and returns its slot in an `Activation`.
    @discardableResult
    package mutating func declare(_ name: String, _ type: Type) -> Int {
        variables.append((name, type))
        return variables.count - 1
    }

    /// Adds a function, or overloads to one of that name.
    package mutating func register(_ function: Function) {}

    package func slot(of variable: String) -> Int? {
        variables.firstIndex { $0.name == variable }
    }

    /// Parses, checks and plans an expression.
    package func compile(_ source: String) throws(CompilationFailure) -> Program {
        Program(source: source, resultType: .dyn, warnings: [], references: [])
    }
}

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

/// What an expression may name, and how strictly it is read. Has the standard library and the extensions from the start.
package struct Environment: Sendable {
    package struct Options: Sendable {
        /// Reading through null, ordering null, a missing key and an index past the end are the error `absent`, and an
        /// element for which a quantifier's or filter's predicate is absent does not hold. Standard CEL when false.
        package var absence = false
        /// The checker accepts comparisons between int, uint and double. Standard CEL when false.
        package var mixedComparisons = false
        /// The variable that is the clock: a timestamp that from one evaluation to the next only grows.
        package var clock: String?

        package init() {}
    }

    struct Variable {
        var name: String
        var type: Type
        var maximumSize: Int?
    }

    package var options: Options
    /// The namespace in which names are tried first: in `a.b` the name `x` may mean `a.b.x`, `a.x` or `x`.
    package var container: String?
    private(set) var variables: [Variable] = []
    /// The host's functions, and those of the library that it adds overloads to; all others are the library's, shared.
    private var ownFunctions: [String: Function] = [:]
    private var keyedFunctions: Set<String> = []
    private var slots: [String: Int] = [:]

    package init(options: Options = Options()) {
        self.options = options
    }

    /// Declares a variable and returns its slot in an `Activation`. A name declared again gets the new type.
    ///
    /// - Parameter maximumSize: how many elements, or bytes of text, it has at most, for `Program.estimatedSteps`.
    @discardableResult
    package mutating func declare(_ name: String, _ type: Type, maximumSize: Int? = nil) -> Int {
        let variable = Variable(name: name, type: type, maximumSize: maximumSize)
        if let slot = slots[name] {
            variables[slot] = variable
            return slot
        }
        variables.append(variable)
        slots[name] = variables.count - 1
        return variables.count - 1
    }

    /// Adds a function, or overloads to one of that name.
    package mutating func register(_ function: Function) {
        guard var known = self.function(function.name) else {
            ownFunctions[function.name] = function
            return
        }
        known.overloads += function.overloads
        ownFunctions[function.name] = known
    }

    /// Adds a function that is written `list.name(x, key)`, where `key` is an expression of the element `x`. Its overloads
    /// are members with two parameters: the list, and the list of the elements' keys.
    package mutating func register(keyed function: Function) {
        register(function)
        keyedFunctions.insert(function.name)
    }

    package func slot(of variable: String) -> Int? {
        slots[variable]
    }

    /// Parses, checks and plans an expression.
    ///
    /// - Parameters:
    ///   - checked: False leaves out the check of types: what does not fit is an error when it is evaluated.
    ///   - traced: The program can say how it came to its value, and is slower for it.
    package func compile(
        _ source: String, checked: Bool = true, traced: Bool = false
    ) throws(CompilationFailure) -> Program {
        let parsed: Expression
        do {
            parsed = try Parser.parse(source, keyedFunctions: keyedFunctions)
        } catch {
            throw CompilationFailure(issues: [error])
        }
        return try compile(parsed: parsed, source: source, checked: checked, traced: traced)
    }

    /// The tree of an expression, for whoever looks for something in it; nil for a text that is none.
    package func parse(_ source: String) -> Expression? {
        try? Parser.parse(source, keyedFunctions: keyedFunctions)
    }

    /// Every function with its signatures, by name.
    package var functionList: [FunctionDescription] {
        functions.values.map { function in
            FunctionDescription(
                name: function.name,
                signatures: function.overloads.map { $0.signature.description(of: function.name) },
                documentation: function.documentation)
        }.sorted { $0.name < $1.name }
    }

    /// The first of these names that is a function.
    func function(named candidates: [String]) -> Function? {
        candidates.lazy.compactMap { self.function($0) }.first
    }

    func function(_ name: String) -> Function? {
        ownFunctions[name] ?? Library.functions[name]
    }

    /// Every function by its name.
    var functions: [String: Function] { Library.functions.merging(ownFunctions) { $1 } }

    /// A name in the container and then outwards, in the order of resolution.
    func candidates(for name: String, isRooted: Bool) -> [String] {
        guard let container, !isRooted else { return [name] }
        var candidates: [String] = []
        var parts = container.split(separator: ".")
        while !parts.isEmpty {
            candidates.append(parts.joined(separator: ".") + "." + name)
            parts.removeLast()
        }
        return candidates + [name]
    }
}

/// A function as a reference lists it.
package struct FunctionDescription: Hashable, Sendable {
    package let name: String
    /// Such as `string.contains(string) -> bool`.
    package let signatures: [String]
    package let documentation: String
}

import CEL

/// What the terms of a rule's condition are: the parts that it compares, known by their text.
final class Terms {
    struct Facts {
        var type: Type
        var references: Set<Reference>

        /// Moves with the clock.
        var readsClock: Bool { references.contains { $0.variable == "now" } }
    }

    let rule: Rule
    private var known: [String: Facts?] = [:]
    private var constants: [String: Value?] = [:]

    /// A condition with more different parts is left alone.
    private static let most = 500
    private static let budget = 1_000

    init(_ rule: Rule) {
        self.rule = rule
    }

    /// Nil for what cannot be compiled by itself.
    func facts(_ term: String) -> Facts? {
        if let facts = known[term] { return facts }
        guard known.count < Self.most else { return nil }
        let program = try? rule.environment.compile(term)
        let facts = program.map { Facts(type: $0.resultType, references: $0.references) }
        known[term] = .some(facts)
        return facts
    }

    /// The value of an expression that is the same at every evaluation; nil for any other.
    func constant(_ expression: Expression) -> Value? {
        if case .literal(let value) = expression.kind { return value }
        guard expression.mayBeConstant else { return nil }
        let text = expression.text
        if let value = constants[text] { return value }
        guard constants.count < Self.most else { return nil }
        constants[text] = .some(evaluate(text))
        return constants[text] ?? nil
    }

    private func evaluate(_ text: String) -> Value? {
        guard let program = try? rule.environment.compile(text),
            program.references.allSatisfy({ $0.variable == "vars" })
        else { return nil }
        var activation = Activation(rule.environment)
        if let slot = rule.environment.slot(of: "vars") { activation[slot] = .object(rule.constants) }
        let value = program.evaluate(activation, budget: Self.budget)
        if case .error = value { return nil }
        return value
    }
}

extension Expression {
    /// Names nothing but constants of the file.
    fileprivate var mayBeConstant: Bool {
        switch kind {
        case .identifier(let name, _): name == "vars"
        case .iteration, .bind, .message: false
        default: kind.children.allSatisfy(\.mayBeConstant)
        }
    }

    /// Names a constant of the file, which the author may set to anything.
    var namesConstants: Bool {
        if case .identifier("vars", _) = kind { return true }
        return kind.children.contains { $0.namesConstants }
    }

    /// The objects that a plain path such as `session.pr.state` leads through, `session.pr` here: it has a value only where
    /// they are there.
    var objectsOnTheWay: [Expression] {
        guard case .select(let operand, _, false) = kind, operand.isPath else { return [] }
        guard case .select = operand.kind else { return [] }
        return operand.objectsOnTheWay + [operand]
    }

    /// A variable, or fields of one.
    var isPath: Bool {
        switch kind {
        case .identifier: true
        case .select(let operand, _, false): operand.isPath
        default: false
        }
    }
}

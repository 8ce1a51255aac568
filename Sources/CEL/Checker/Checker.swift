/// Finds what every name means and what type every part has (langdef, "Gradual Type Checking").
///
/// Goes on after an error, with a type that fits everywhere, so that one mistake is reported once and the next one too.
struct Checker {
    let environment: Environment
    /// False for expressions that are evaluated without being checked: nothing is an error before it is evaluated.
    let isStrict: Bool
    var inference = Inference()
    private(set) var issues: [CompilationIssue] = []
    private(set) var scope: [Local] = []
    /// Parts, as text, that are there wherever what is checked now is evaluated.
    var present: Set<String> = []
    /// A name that means nothing here was probably to be a text.
    var wantsText = false
    /// How many frame slots the macros' variables need.
    private(set) var frameSize = 0

    struct Local {
        var name: String
        var slot: Int
        var type: Type
    }

    init(_ environment: Environment, isStrict: Bool) {
        self.environment = environment
        self.isStrict = isStrict
    }

    /// Only tells kinds apart: what a case binds would be on the stack for every level of the tree.
    mutating func check(_ expression: Expression) -> Checked {
        switch expression.kind {
        case .literal, .identifier: leaf(expression)
        case .select: selection(expression)
        case .presence: presence(expression)
        case .index: index(expression)
        case .call: call(expression)
        case .and, .or: logic(expression)
        case .conditional: choice(expression)
        case .list: list(expression)
        case .map: map(expression)
        case .message: message(expression)
        case .iteration: iteration(expression)
        case .bind: bind(expression)
        }
    }

    private mutating func leaf(_ expression: Expression) -> Checked {
        switch expression.kind {
        case .literal(let value): Checked(kind: .constant(value), type: value.runtimeType, range: expression.range)
        case .identifier(let name, let isRooted): identifier(name, isRooted: isRooted, expression.range)
        default: unexpected(expression)
        }
    }

    /// For a function that was given another kind of node than its own, which does not happen.
    func unexpected(_ expression: Expression) -> Checked {
        wrong("this has no meaning here", expression.range)
    }

    mutating func report(_ message: String, _ range: Range<Int>) {
        report(CompilationIssue(.error, message, at: range))
    }

    mutating func warn(_ message: String, _ range: Range<Int>) {
        report(CompilationIssue(.warning, message, at: range))
    }

    mutating func report(_ issue: CompilationIssue) {
        if isStrict { issues.append(issue) }
    }

    /// The type so far, for deciding what may be done with a value.
    func type(of node: Checked) -> Type {
        known(node.type)
    }

    func known(_ type: Type) -> Type {
        let type = inference.shallow(type)
        if case .parameter = type { return .dyn }
        return type
    }

    /// Stands for a part that is wrong and has been reported.
    func wrong(_ message: String, _ range: Range<Int>, _ code: EvaluationError.Code = .noSuchOverload) -> Checked {
        Checked(kind: .failure(EvaluationError(code, message, at: range)), type: .error, range: range)
    }

    // MARK: Scope

    func local(named name: String) -> Local? {
        scope.last { $0.name == name }
    }

    var localNames: [String] { scope.map(\.name) }

    /// Opens the scope of a macro's variables, which get slots in a row; returns the first.
    mutating func open(_ variables: [(name: String, type: Type)]) -> Int {
        let first = scope.count
        for (name, type) in variables { scope.append(Local(name: name, slot: scope.count, type: type)) }
        frameSize = max(frameSize, scope.count)
        return first
    }

    mutating func close(_ first: Int) {
        scope.removeLast(scope.count - first)
    }

    // MARK: Logic

    private mutating func logic(_ expression: Expression) -> Checked {
        let isAnd = if case .and = expression.kind { true } else { false }
        var checked: [Checked] = []
        let known = present
        for operand in expression.kind.children {
            checked.append(condition(operand, isAnd ? "'&&' joins conditions" : "'||' joins conditions"))
            present.formUnion(operand.presentParts(when: isAnd))
        }
        present = known
        return Checked(kind: isAnd ? .and(checked) : .or(checked), type: .bool, range: expression.range)
    }

    /// A part that has to be a bool; `what` begins the message when it is not.
    mutating func condition(_ expression: Expression, _ what: String) -> Checked {
        let checked = check(expression)
        requireBool(checked, what)
        return checked
    }

    private mutating func requireBool(_ checked: Checked, _ what: String) {
        guard isStrict, !inference.assign(checked.type, to: .bool) else { return }
        report("\(what), but this is \(typeName(checked))\(hint(condition: checked))", checked.range)
    }

    func typeName(_ node: Checked) -> String {
        inference.resolve(node.type).withArticle
    }

    private mutating func choice(_ expression: Expression) -> Checked {
        guard case .conditional(let condition, let then, let otherwise) = expression.kind else {
            return unexpected(expression)
        }
        let test = self.condition(condition, "'?' needs a condition before it")
        let first = check(then, behind: condition, being: true)
        return choice(test, first, check(otherwise, behind: condition, being: false), expression.range)
    }

    private mutating func check(_ branch: Expression, behind condition: Expression, being outcome: Bool) -> Checked {
        let known = present
        present.formUnion(condition.presentParts(when: outcome))
        defer { present = known }
        return check(branch)
    }

    private mutating func choice(
        _ condition: Checked, _ then: Checked, _ otherwise: Checked, _ range: Range<Int>
    ) -> Checked {
        let kind = Checked.Kind.conditional(condition, then, otherwise)
        guard isStrict else { return Checked(kind: kind, type: .dyn, range: range) }
        let result = inference.fresh()
        guard inference.assign([then.type, otherwise.type], to: [result, result]) else {
            report(
                "both sides of ':' must have one type, but they are \(typeName(then)) and \(typeName(otherwise))", range
            )
            return Checked(kind: kind, type: .error, range: range)
        }
        return Checked(kind: kind, type: inference.shallow(result), range: range)
    }

    private mutating func bind(_ expression: Expression) -> Checked {
        guard case .bind(let name, let value, let body) = expression.kind else { return unexpected(expression) }
        let bound = check(value)
        let slot = open([(name, bound.type)])
        let result = check(body)
        close(slot)
        return Checked(kind: .bind(slot: slot, bound, result), type: result.type, range: expression.range)
    }

    // MARK: Literals of lists and maps

    private mutating func list(_ expression: Expression) -> Checked {
        guard case .list(let elements) = expression.kind else { return unexpected(expression) }
        var checked: [(value: Checked, isOptional: Bool)] = []
        for element in elements { checked.append((check(element.value), element.isOptional)) }
        var types: [Type] = []
        for (value, isOptional) in checked { types.append(isOptional ? content(ofOptional: value) : value.type) }
        return Checked(
            kind: .list(checked), type: .list(isStrict ? inference.join(types) : .dyn), range: expression.range)
    }

    private mutating func map(_ expression: Expression) -> Checked {
        guard case .map(let entries) = expression.kind else { return unexpected(expression) }
        var checked: [(key: Checked, value: Checked, isOptional: Bool)] = []
        for entry in entries { checked.append((check(entry.key), check(entry.value), entry.isOptional)) }
        return Checked(kind: .map(checked), type: mapType(checked), range: expression.range)
    }

    private mutating func mapType(_ entries: [(key: Checked, value: Checked, isOptional: Bool)]) -> Type {
        guard isStrict else { return .map(.dyn, .dyn) }
        var keys: [Type] = []
        for (key, _, _) in entries {
            let canBeKey = type(of: key).canBeKey
            keys.append(canBeKey ? key.type : .error)
            if canBeKey { continue }
            report("a key is a bool, an int, a uint or a string, but this is \(typeName(key))", key.range)
        }
        var values: [Type] = []
        for (_, value, isOptional) in entries { values.append(isOptional ? content(ofOptional: value) : value.type) }
        return .map(inference.join(keys), inference.join(values))
    }

    /// The type inside the optional after a `?` of a list or map.
    private mutating func content(ofOptional value: Checked) -> Type {
        let content = inference.fresh()
        if isStrict, !inference.assign(value.type, to: .optional(content)) {
            report("'?' needs an optional after it, but this is \(typeName(value))", value.range)
        }
        return content
    }

    private mutating func message(_ expression: Expression) -> Checked {
        guard case .message(let name, let fields) = expression.kind else { return unexpected(expression) }
        let text = "there is no type '\(name)' of which to make a value; a map has quoted keys, as in {\"a\": 1}"
        report(text, expression.range)
        for field in fields { _ = check(field.value) }
        return wrong(text, expression.range)
    }
}

extension Type {
    fileprivate var canBeKey: Bool {
        switch withoutNull {
        case .bool, .int, .uint, .string, .dyn, .error: true
        default: false
        }
    }
}

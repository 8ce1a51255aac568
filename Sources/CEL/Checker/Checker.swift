/// Finds what every name means and what type every part has (langdef, "Gradual Type Checking").
///
/// Goes on after an error, with a type that fits everywhere, so that one mistake is reported once and the next one too.
struct Checker {
    let environment: Environment
    /// False for expressions that are evaluated without being checked: nothing is an error before it is evaluated.
    let isStrict: Bool
    var inference = Inference()
    private(set) var issues: [CompilationIssue] = []
    private var scope: [Local] = []
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

    mutating func check(_ expression: Expression) -> Checked {
        let range = expression.range
        switch expression.kind {
        case .literal(let value): return Checked(kind: .constant(value), type: value.runtimeType, range: range)
        case .identifier(let name, let isRooted): return identifier(name, isRooted: isRooted, range)
        case .select(let operand, let field, let isOptional):
            return selection(expression, of: operand, field, isOptional: isOptional)
        case .presence(let operand, let field): return presence(of: field, in: operand, range)
        case .index(let operand, let index, let isOptional):
            return self.index(operand, index, isOptional: isOptional, range)
        case .call(let function, let target, let arguments): return call(function, target, arguments, range)
        case .and(let operands): return Checked(kind: .and(conditions(operands, "&&")), type: .bool, range: range)
        case .or(let operands): return Checked(kind: .or(conditions(operands, "||")), type: .bool, range: range)
        case .conditional(let condition, let then, let otherwise): return choice(condition, then, otherwise, range)
        case .list(let elements): return list(elements, range)
        case .map(let entries): return map(entries, range)
        case .message(let name, let fields): return message(name, fields.map(\.value), range)
        case .iteration(let iteration): return self.iteration(iteration, range)
        case .bind(let name, let value, let body): return bind(name, value, body, range)
        }
    }

    mutating func report(_ message: String, _ range: Range<Int>) {
        report(CompilationIssue(.error, message, at: range))
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

    /// Opens the scope of a macro's variables for as long as `body` runs.
    mutating func with<Result>(
        _ variables: [(name: String, type: Type)], _ body: (inout Checker, [Int]) -> Result
    ) -> Result {
        let outer = scope.count
        for (name, type) in variables { scope.append(Local(name: name, slot: scope.count, type: type)) }
        frameSize = max(frameSize, scope.count)
        defer { scope.removeLast(scope.count - outer) }
        return body(&self, Array(outer..<scope.count))
    }

    // MARK: Logic

    private mutating func conditions(_ operands: [Expression], _ symbol: String) -> [Checked] {
        operands.map { condition($0, "'\(symbol)' joins conditions") }
    }

    /// A part that has to be a bool; `what` begins the message when it is not.
    mutating func condition(_ expression: Expression, _ what: String) -> Checked {
        let checked = check(expression)
        if isStrict, !inference.assign(checked.type, to: .bool) {
            report("\(what), but this is \(typeName(checked))", checked.range)
        }
        return checked
    }

    func typeName(_ node: Checked) -> String {
        let name = inference.resolve(node.type).description
        return "\("aeiou".contains(name.first ?? "x") && name != "uint" ? "an" : "a") \(name)"
    }

    private mutating func choice(
        _ condition: Expression, _ then: Expression, _ otherwise: Expression, _ range: Range<Int>
    ) -> Checked {
        let condition = self.condition(condition, "'?' needs a condition before it")
        let then = check(then)
        let otherwise = check(otherwise)
        let kind = Checked.Kind.conditional(condition, then, otherwise)
        let result = inference.fresh()
        guard isStrict else { return Checked(kind: kind, type: .dyn, range: range) }
        guard inference.assign([then.type, otherwise.type], to: [result, result]) else {
            report(
                "both sides of ':' must have one type, but they are \(typeName(then)) and \(typeName(otherwise))", range
            )
            return Checked(kind: kind, type: .error, range: range)
        }
        return Checked(kind: kind, type: inference.shallow(result), range: range)
    }

    private mutating func bind(
        _ name: String, _ value: Expression, _ body: Expression, _ range: Range<Int>
    ) -> Checked {
        let value = check(value)
        return with([(name, value.type)]) { checker, slots in
            let body = checker.check(body)
            return Checked(kind: .bind(slot: slots[0], value, body), type: body.type, range: range)
        }
    }

    // MARK: Literals of lists and maps

    private mutating func list(_ elements: [Expression.Element], _ range: Range<Int>) -> Checked {
        var checked: [(value: Checked, isOptional: Bool)] = []
        var types: [Type] = []
        for element in elements {
            let value = check(element.value)
            checked.append((value, element.isOptional))
            types.append(element.isOptional ? content(ofOptional: value) : value.type)
        }
        let type = isStrict ? inference.join(types) : .dyn
        return Checked(kind: .list(checked), type: .list(type), range: range)
    }

    private mutating func map(_ entries: [Expression.Entry], _ range: Range<Int>) -> Checked {
        var checked: [(key: Checked, value: Checked, isOptional: Bool)] = []
        var keys: [Type] = []
        var values: [Type] = []
        for entry in entries {
            let key = check(entry.key)
            let value = check(entry.value)
            if isStrict, !type(of: key).canBeKey {
                report("a key is a bool, an int, a uint or a string, but this is \(typeName(key))", key.range)
            }
            checked.append((key, value, entry.isOptional))
            keys.append(key.type)
            values.append(entry.isOptional ? content(ofOptional: value) : value.type)
        }
        let type: Type = isStrict ? .map(inference.join(keys), inference.join(values)) : .map(.dyn, .dyn)
        return Checked(kind: .map(checked), type: type, range: range)
    }

    /// The type inside the optional after a `?` of a list or map.
    private mutating func content(ofOptional value: Checked) -> Type {
        let content = inference.fresh()
        if isStrict, !inference.assign(value.type, to: .optional(content)) {
            report("'?' needs an optional after it, but this is \(typeName(value))", value.range)
        }
        return content
    }

    private mutating func message(_ name: String, _ values: [Expression], _ range: Range<Int>) -> Checked {
        let text = "there is no type '\(name)' of which to make a value; a map has quoted keys, as in {\"a\": 1}"
        report(text, range)
        for value in values { _ = check(value) }
        return wrong(text, range)
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

/// Calls that are no calls: they bind names or ask about a field, so they become nodes of their own.
extension Parser {
    /// A call, or what the macro of that name and number of arguments stands for.
    mutating func call(
        _ function: String, on target: Expression?, _ arguments: [Expression], at range: Range<Int>
    ) throws(Abort) -> Expression {
        let macro =
            if let target {
                try receiverMacro(function, target, arguments, at: range)
            } else {
                function == "has" ? presence(arguments) : nil
            }
        return try node(macro ?? .call(function: function, target: target, arguments: arguments), at: range)
    }

    private mutating func presence(_ arguments: [Expression]) -> Expression.Kind? {
        guard arguments.count == 1 else { return nil }
        guard case .select(let operand, let field, isOptional: false) = arguments[0].kind else {
            note(.hasNeedsField(at: arguments[0].range))
            return nil
        }
        return .presence(operand, field: field)
    }

    private mutating func receiverMacro(
        _ name: String, _ target: Expression, _ arguments: [Expression], at range: Range<Int>
    ) throws(Abort) -> Expression.Kind? {
        switch (name, arguments.count) {
        case ("bind", 3):
            guard case .identifier("cel", isRooted: false) = target.kind else { return nil }
            guard let variable = variable(arguments[0], of: "cel.bind") else { return nil }
            return .bind(name: variable, value: arguments[1], body: arguments[2])
        case ("optMap", 2), ("optFlatMap", 2):
            guard let variable = variable(arguments[0], of: name) else { return nil }
            return try optionalMap(
                target, variable, arguments[1], isFlat: name == "optFlatMap", at: range)
        default:
            return iteration(name, target, arguments)
        }
    }

    private mutating func iteration(
        _ name: String, _ target: Expression, _ arguments: [Expression]
    ) -> Expression.Kind? {
        guard let form = Iteration.Form(name, arguments.count) else { return nil }
        guard let first = variable(arguments[0], of: name) else { return nil }
        var second: String?
        if form.variables == 2 {
            second = variable(arguments[1], of: name)
            guard second != nil else { return nil }
            if first == second { note(.variablesEqual(first, at: arguments[1].range)) }
        }
        let rest = arguments.dropFirst(form.variables)
        return .iteration(
            Iteration(
                macro: form.macro, range: target, first: first, second: second,
                predicate: form.hasPredicate ? rest.first : nil,
                transform: form.hasTransform ? rest.last : nil))
    }

    /// The name that an argument is; anything else is noted.
    private mutating func variable(_ argument: Expression, of macro: String) -> String? {
        if case .identifier(let name, isRooted: false) = argument.kind { return name }
        note(.variableNotName(macro, at: argument.range))
        return nil
    }

    /// `target.hasValue() ? optional.of(body) : optional.none()`, with `variable` as the value in `body`; flat means that
    /// the body is an optional itself. The target is bound to a name, to be evaluated once.
    private mutating func optionalMap(
        _ target: Expression, _ variable: String, _ body: Expression, isFlat: Bool, at range: Range<Int>
    ) throws(Abort) -> Expression.Kind {
        let name = Expression.optionalTarget
        func call(_ function: String, on target: Expression?, _ arguments: [Expression]) -> Expression.Kind {
            .call(function: function, target: target, arguments: arguments)
        }
        let bound = try node(.identifier(name, isRooted: false), at: target.range)
        let condition = try node(call("hasValue", on: bound, []), at: target.range)
        let value = try node(call("value", on: bound, []), at: target.range)
        var then = try node(.bind(name: variable, value: value, body: body), at: body.range)
        if !isFlat { then = try node(call("optional.of", on: nil, [then]), at: body.range) }
        let otherwise = try node(call("optional.none", on: nil, []), at: range)
        let choice = try node(.conditional(condition, then: then, otherwise: otherwise), at: range)
        return .bind(name: name, value: target, body: choice)
    }
}

extension Expression {
    /// The name to which `optMap` and `optFlatMap` bind their target; no source can spell it.
    static let optionalTarget = "@optional"
}

extension Iteration {
    /// How a macro reads its arguments: variables, then a predicate, then what becomes of an element.
    struct Form {
        var macro: Macro
        var variables: Int
        var hasPredicate: Bool
        var hasTransform: Bool

        init?(_ name: String, _ count: Int) {
            switch (name, count) {
            case ("all", 2...3): self.init(.all, testing: count - 1)
            case ("exists", 2...3): self.init(.exists, testing: count - 1)
            case ("existsOne", 2...3), ("exists_one", 2...3): self.init(.existsOne, testing: count - 1)
            case ("filter", 2): self.init(.filter, testing: 1)
            case ("map", 2...3): self.init(.map, transforming: 1, hasPredicate: count == 3)
            case ("transformList", 3...4): self.init(.transformList, transforming: 2, hasPredicate: count == 4)
            case ("transformMap", 3...4): self.init(.transformMap, transforming: 2, hasPredicate: count == 4)
            case ("transformMapEntry", 3...4):
                self.init(.transformMapEntry, transforming: 2, hasPredicate: count == 4)
            default: return nil
            }
        }

        private init(_ macro: Macro, testing variables: Int) {
            self.macro = macro
            self.variables = variables
            hasPredicate = true
            hasTransform = false
        }

        private init(_ macro: Macro, transforming variables: Int, hasPredicate: Bool) {
            self.macro = macro
            self.variables = variables
            self.hasPredicate = hasPredicate
            hasTransform = true
        }
    }
}

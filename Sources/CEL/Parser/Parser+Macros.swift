/// A call as written, before it is known whether it is a macro.
struct MacroCall {
    var name: String
    var target: Expression?
    var arguments: [Expression]
    var range: Range<Int>
}

// Macros: calls whose arguments are not evaluated like a function's (langdef, "Macros").
extension Parser {
    /// What a macro call stands for; nil when it is no macro, or not with this number of arguments.
    func expand(_ call: MacroCall) throws(CompilationIssue) -> Expression? {
        guard let target = call.target else {
            return call.name == "has" && call.arguments.count == 1 ? try presence(call) : nil
        }
        if case .identifier("cel", isRooted: false) = target.kind { return try celMacro(call) }
        switch (call.name, call.arguments.count) {
        case ("all", 2), ("exists", 2), ("exists_one", 2), ("existsOne", 2), ("filter", 2),
            ("all", 3), ("exists", 3), ("exists_one", 3), ("existsOne", 3):
            return try quantifier(call, over: target)
        case ("map", 2), ("map", 3): return try transform(.map, call, over: target, variables: 1)
        case ("transformList", 3), ("transformList", 4):
            return try transform(.transformList, call, over: target, variables: 2)
        case ("transformMap", 3), ("transformMap", 4):
            return try transform(.transformMap, call, over: target, variables: 2)
        case ("transformMapEntry", 3), ("transformMapEntry", 4):
            return try transform(.transformMapEntry, call, over: target, variables: 2)
        case ("optMap", 2): return try optionalMap(call, over: target, isFlat: false)
        case ("optFlatMap", 2): return try optionalMap(call, over: target, isFlat: true)
        case (let name, 2) where keyedFunctions.contains(name): return try keyed(call, over: target)
        case (let name, _) where keyedFunctions.contains(name):
            throw .error("the name of an element comes first, as in list.\(name)(x, …)", call.range)
        default: return nil
        }
    }

    private func presence(_ call: MacroCall) throws(CompilationIssue) -> Expression {
        guard case .select(let operand, let field, isOptional: false) = call.arguments[0].kind else {
            if case .index = call.arguments[0].kind {
                throw .error(
                    "has() takes a field; a key is asked for with 'in', as in \"a\" in map", call.arguments[0].range)
            }
            throw .error("has() takes a field, as in has(a.b)", call.arguments[0].range)
        }
        return try make(.presence(operand, field: field), call)
    }

    private func quantifier(_ call: MacroCall, over target: Expression) throws(CompilationIssue) -> Expression {
        let macro: Iteration.Macro =
            switch call.name {
            case "all": .all
            case "exists": .exists
            case "filter": .filter
            default: .existsOne
            }
        let isDouble = call.arguments.count == 3
        let (first, second) = try variables(of: call, count: isDouble ? 2 : 1)
        let iteration = Iteration(
            macro: macro, range: target, first: first, second: second, predicate: call.arguments.last, transform: nil)
        return try make(.iteration(iteration), call)
    }

    private func transform(
        _ macro: Iteration.Macro, _ call: MacroCall, over target: Expression, variables count: Int
    ) throws(CompilationIssue) -> Expression {
        let (first, second) = try variables(of: call, count: count)
        let hasFilter = call.arguments.count == count + 2
        let iteration = Iteration(
            macro: macro, range: target, first: first, second: second,
            predicate: hasFilter ? call.arguments[count] : nil, transform: call.arguments.last)
        return try make(.iteration(iteration), call)
    }

    private func variables(of call: MacroCall, count: Int) throws(CompilationIssue) -> (String, String?) {
        let first = try variable(call.arguments[0], of: call)
        guard count == 2 else { return (first, nil) }
        let second = try variable(call.arguments[1], of: call)
        guard first != second else {
            throw .error("the two variables of \(call.name)() need different names", call.arguments[1].range)
        }
        return (first, second)
    }

    private func variable(_ argument: Expression, of call: MacroCall) throws(CompilationIssue) -> String {
        guard case .identifier(let name, isRooted: false) = argument.kind else {
            throw .error("\(call.name)() needs a plain name here, for its variable", argument.range)
        }
        return name
    }

    /// `x.optMap(v, e)` is `x.hasValue() ? optional.of(e with v = x.value()) : optional.none()`, with `x` read once.
    private func optionalMap(
        _ call: MacroCall, over target: Expression, isFlat: Bool
    ) throws(CompilationIssue) -> Expression {
        let name = try variable(call.arguments[0], of: call)
        let held = try make(.identifier(Self.heldOptional, isRooted: false), call)
        let optional = try make(.identifier("optional", isRooted: true), call)
        let hasValue = try make(.call(function: "hasValue", target: held, arguments: []), call)
        let value = try make(.call(function: "value", target: held, arguments: []), call)
        let body = try make(.bind(name: name, value: value, body: call.arguments[1]), call)
        let some = isFlat ? body : try make(.call(function: "of", target: optional, arguments: [body]), call)
        let none = try make(.call(function: "none", target: optional, arguments: []), call)
        let choice = try make(.conditional(hasValue, then: some, otherwise: none), call)
        return try make(.bind(name: Self.heldOptional, value: target, body: choice), call)
    }

    /// `list.f(x, key)` is `list.f(list.map(x, key))`, with `list` read once.
    private func keyed(_ call: MacroCall, over target: Expression) throws(CompilationIssue) -> Expression {
        let name = try variable(call.arguments[0], of: call)
        let held = try make(.identifier(Self.heldList, isRooted: false), call)
        let iteration = Iteration(
            macro: .map, range: held, first: name, second: nil, predicate: nil, transform: call.arguments[1])
        let keys = try make(.iteration(iteration), call)
        let body = try make(.call(function: call.name, target: held, arguments: [keys]), call)
        return try make(.bind(name: Self.heldList, value: target, body: body), call)
    }

    private func make(_ kind: Expression.Kind, _ call: MacroCall) throws(CompilationIssue) -> Expression {
        try node(kind, from: call.range.lowerBound)
    }

    // MARK: cel.…

    private func celMacro(_ call: MacroCall) throws(CompilationIssue) -> Expression? {
        switch (call.name, call.arguments.count) {
        case ("bind", 3):
            let name = try variable(call.arguments[0], of: call)
            return try make(.bind(name: name, value: call.arguments[1], body: call.arguments[2]), call)
        case ("block", 2): return try block(call)
        case ("index", 1):
            return try make(
                .identifier(Self.blockIndex(Int(try number(call.arguments[0], of: call))), isRooted: false), call)
        case ("iterVar", 2):
            let (depth, position) = (try number(call.arguments[0], of: call), try number(call.arguments[1], of: call))
            return try make(.identifier("#variable\(depth),\(position)", isRooted: false), call)
        default: return nil
        }
    }

    /// `cel.block([a, b], e)`: `e` with `a` and `b` read as `cel.index(0)` and `cel.index(1)`.
    private func block(_ call: MacroCall) throws(CompilationIssue) -> Expression {
        guard case .list(let values) = call.arguments[0].kind, values.allSatisfy({ !$0.isOptional }) else {
            throw .error("cel.block() takes a list of values first", call.arguments[0].range)
        }
        var body = call.arguments[1]
        for (index, element) in values.enumerated().reversed() {
            body = try make(.bind(name: Self.blockIndex(index), value: element.value, body: body), call)
        }
        return body
    }

    private func number(_ argument: Expression, of call: MacroCall) throws(CompilationIssue) -> Int64 {
        guard case .literal(.int(let number)) = argument.kind, number >= 0 else {
            throw .error("cel.\(call.name)() takes whole numbers", argument.range)
        }
        return number
    }
}

// Names of what macros hold for themselves. No name in a source text begins with '#'.
extension Parser {
    static let heldOptional = "#optional"
    static let heldList = "#list"

    static func blockIndex(_ index: Int) -> String { "#index\(index)" }

    /// The other way round; nil for any other name.
    static func blockPosition(_ name: String) -> Substring? {
        name.hasPrefix("#index") ? name.dropFirst("#index".count) : nil
    }

    static func blockVariable(_ name: String) -> (Substring, Substring)? {
        guard name.hasPrefix("#variable") else { return nil }
        let parts = name.dropFirst("#variable".count).split(separator: ",")
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}

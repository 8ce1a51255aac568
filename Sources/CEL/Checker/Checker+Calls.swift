// Functions, operators and macros.
extension Checker {
    mutating func call(_ expression: Expression) -> Checked {
        guard case .call(let name, let target, let arguments) = expression.kind else { return unexpected(expression) }
        var operands: [Checked] = []
        for argument in operandExpressions(name, target, arguments) {
            wantsText = mayBeText(argument, among: arguments, of: name)
            operands.append(check(argument))
            wantsText = false
        }
        return call(name, target, operands, expression.range)
    }

    /// Without the qualifier of a function's name. What stands in the parentheses of an unknown method may be names that
    /// only a macro would give a meaning, so it is left alone.
    private func operandExpressions(_ name: String, _ target: Expression?, _ arguments: [Expression]) -> [Expression] {
        guard let target else { return arguments }
        if namespaced(name, target) != nil { return arguments }
        if environment.function(name) != nil { return [target] + arguments }
        return namespace(target) == nil ? [target] : []
    }

    /// A function that is no member, by its name or a part of it.
    private func function(_ name: String) -> Function? {
        environment.function(named: environment.candidates(for: name.droppingRoot, isRooted: name.hasPrefix(".")))
    }

    /// A word that is compared with what is no text itself.
    private func mayBeText(_ argument: Expression, among arguments: [Expression], of name: String) -> Bool {
        Operator.comparesWords.contains(name) && argument.mayBeWord
            && !arguments.contains { $0 !== argument && $0.isText }
    }

    private mutating func call(
        _ name: String, _ target: Expression?, _ operands: [Checked], _ range: Range<Int>
    ) -> Checked {
        if target == nil, let signatures = Operator.signatures[name] {
            return operation(name, signatures, operands, range)
        }
        if let target, let function = namespaced(name, target) {
            return resolve(function, operands, isMember: false, range)
        }
        guard let function = target == nil ? function(name) : environment.function(name) else {
            return undefined(name, target, range)
        }
        return resolve(function, operands, isMember: target != nil, range)
    }

    /// `math.abs(x)` is a call of the function `math.abs`, unless `math` is a variable here.
    private func namespaced(_ function: String, _ target: Expression) -> Function? {
        guard let qualifier = target.qualifiedName else { return nil }
        let isRooted = qualifier.hasPrefix(".")
        let first = String(qualifier.droppingRoot.prefix { $0 != "." })
        if !isRooted, local(named: first) != nil { return nil }
        let names = environment.candidates(for: "\(qualifier.droppingRoot).\(function)", isRooted: isRooted)
        return environment.function(named: names)
    }

    private mutating func undefined(_ name: String, _ target: Expression?, _ range: Range<Int>) -> Checked {
        let fullName = target.flatMap { namespace($0) }.map { "\($0).\(name)" } ?? name
        let message = "undefined function '\(fullName)'\(hint(function: name, isMember: target != nil))"
        report(message, range)
        return wrong(message, range)
    }

    /// A name that is none of a value, but that of functions, such as `math`.
    private func namespace(_ target: Expression) -> String? {
        guard let name = target.qualifiedName, local(named: name) == nil, environment.slot(of: name) == nil,
            environment.functions.keys.contains(where: { $0.hasPrefix(name.lowercased() + ".") })
        else { return nil }
        return name
    }

    private mutating func resolve(
        _ function: Function, _ operands: [Checked], isMember: Bool, _ range: Range<Int>
    ) -> Checked {
        let candidates = function.overloads.filter { $0.isMember == isMember && $0.accepts(count: operands.count) }
        guard isStrict else {
            guard !candidates.isEmpty else { return wrong(noOverload(function, operands, isMember), range) }
            return Checked(kind: .call(name: function.name, candidates, operands), type: .dyn, range: range)
        }
        let types = operands.map(\.type)
        guard let (matching, result) = match(candidates, types, signature: { $0.signature(count: types.count) }) else {
            // What is wrong with an operand has been said already.
            if !operands.contains(where: { type(of: $0) == .error }) {
                report(noOverload(function, operands, isMember), range)
            }
            return wrong("no such overload", range)
        }
        return Checked(kind: .call(name: function.name, matching, operands), type: result, range: range)
    }

    /// The candidates that take these types, and the type of the result: dyn when they differ in it.
    private mutating func match<Candidate>(
        _ candidates: [Candidate], _ types: [Type], signature: (Candidate) -> Signature
    ) -> ([Candidate], Type)? {
        var matching: [Candidate] = []
        var result: Type?
        for candidate in candidates {
            let instance = inference.instantiate(signature(candidate))
            guard inference.assign(types, to: instance.parameters) else { continue }
            matching.append(candidate)
            result = result == nil || result == instance.result ? instance.result : .dyn
        }
        guard let result else { return nil }
        return (matching, inference.shallow(result))
    }

    private func noOverload(_ function: Function, _ operands: [Checked], _ isMember: Bool) -> String {
        if isMember, function.name == "contains", let list = operands.first, inference.resolve(list.type).isList {
            return "contains() is for text; what a list has is asked with 'in', as in \"a\" in [\"a\", \"b\"]"
        }
        let types = operands.map { inference.resolve($0.type).description }
        let got =
            isMember && !types.isEmpty
            ? "\(types[0]).\(function.name)(\(types.dropFirst().joined(separator: ", ")))"
            : "\(function.name)(\(types.joined(separator: ", ")))"
        let known = function.overloads.prefix(4).map { $0.signature.description(of: function.name) }
        return "there is no \(got); there is \(known.joined(separator: ", "))"
    }

    // MARK: Operators

    private mutating func operation(
        _ name: String, _ signatures: [Signature], _ operands: [Checked], _ range: Range<Int>
    ) -> Checked {
        let kind = Checked.Kind.operation(name, operands)
        guard isStrict else { return Checked(kind: kind, type: .dyn, range: range) }
        let types = operands.map(\.type)
        if let (_, result) = match(signatures, types, signature: { $0 }) {
            warnAboutUnknownValues(name, operands)
            // Of a wrong operand nothing follows, where that depends on its type.
            let isWrong = result == .dyn && operands.contains { type(of: $0) == .error }
            return Checked(kind: kind, type: isWrong ? .error : result, range: range)
        }
        if environment.options.mixedComparisons, signatures.first?.result == .bool,
            match(
                signatures, types.map { inference.resolve($0).withoutNumericDistinction },
                signature: {
                    $0.mapTypes(\.withoutNumericDistinction)
                }) != nil
        {
            return Checked(kind: kind, type: .bool, range: range)
        }
        if !operands.contains(where: { type(of: $0) == .error }) {
            report(mismatch(name, operands), range)
        }
        return Checked(kind: kind, type: .error, range: range)
    }

    // MARK: Macros

    mutating func iteration(_ expression: Expression) -> Checked {
        guard case .iteration(let iteration) = expression.kind else { return unexpected(expression) }
        let list = check(iteration.range)
        let first = open(variables(of: iteration, over: list))
        let predicate = iteration.predicate.map { condition($0, "\(iteration.macro.name)() needs a condition") }
        let transform = iteration.transform.map { check($0) }
        close(first)
        return loop(iteration, list, first, predicate, transform, expression.range)
    }

    private mutating func variables(of iteration: Iteration, over list: Checked) -> [(name: String, type: Type)] {
        let (key, value) = elements(of: list, iteration)
        if let second = iteration.second { return [(iteration.first, key), (second, value)] }
        return [(iteration.first, isMap(list) ? key : value)]
    }

    private func isMap(_ node: Checked) -> Bool {
        if case .map = type(of: node).withoutNull { true } else { false }
    }

    private mutating func loop(
        _ iteration: Iteration, _ list: Checked, _ first: Int, _ predicate: Checked?, _ transform: Checked?,
        _ range: Range<Int>
    ) -> Checked {
        let checked = CheckedIteration(
            macro: iteration.macro, range: list, first: first, second: iteration.second == nil ? nil : first + 1,
            predicate: predicate, transform: transform)
        let type = resultType(of: iteration.macro, over: list, transform)
        return Checked(kind: .iteration(checked), type: type, range: range)
    }

    /// The types of key and value; for a list of index and element.
    private mutating func elements(of list: Checked, _ iteration: Iteration) -> (Type, Type) {
        switch type(of: list).withoutNull {
        case .list(let element): return (.int, element)
        case .map(let key, let value): return (key, value)
        case .dyn, .error: return (.dyn, .dyn)
        default:
            report("\(iteration.macro.name)() goes through a list or a map, but this is \(typeName(list))", list.range)
            return (.error, .error)
        }
    }

    private mutating func resultType(
        of macro: Iteration.Macro, over list: Checked, _ transform: Checked?
    ) -> Type {
        let result = transform?.type ?? .dyn
        switch macro {
        case .all, .exists, .existsOne: return .bool
        case .filter: return .list(keyType(of: list, ofList: nil))
        case .map, .transformList: return .list(result)
        case .transformMap: return .map(keyType(of: list, ofList: .int), result)
        case .transformMapEntry:
            if let transform, isStrict, !inference.assign(result, to: .map(.dyn, .dyn)) {
                report(
                    "transformMapEntry() needs a map of one entry, but this is \(typeName(transform))", transform.range)
            }
            return inference.shallow(result)
        }
    }

    /// The type of a map's keys; of a list `ofList`, or else of its elements.
    private func keyType(of list: Checked, ofList: Type?) -> Type {
        switch type(of: list).withoutNull {
        case .list(let element): ofList ?? element
        case .map(let key, _): key
        default: .dyn
        }
    }

    // MARK: Known values

    /// A field compared with a word that it never takes is allowed (a newer server may send it) but probably a slip.
    private mutating func warnAboutUnknownValues(_ name: String, _ operands: [Checked]) {
        guard operands.count == 2 else { return }
        switch name {
        case Operator.equals, Operator.notEquals:
            for (field, other) in [(operands[0], operands[1]), (operands[1], operands[0])] {
                warn(field, other)
            }
        case Operator.isIn:
            guard case .list(let elements) = operands[1].kind else { return }
            for element in elements { warn(operands[0], element.value) }
        default: return
        }
    }

    private mutating func warn(_ node: Checked, _ literal: Checked) {
        guard case .field(_, let object, let slot, isOptional: false) = node.kind,
            case .constant(.string(let word)) = literal.kind
        else { return }
        let field = object.fields[slot]
        guard !field.knownValues.isEmpty, !field.knownValues.contains(where: { $0.hasSameText(as: word) }) else {
            return
        }
        let nearest = NearMiss.best(of: field.knownValues, for: word)
        let hint = nearest.map { NearMiss.hint($0) } ?? "; it knows \(field.knownValues.joined(separator: ", "))"
        report(
            CompilationIssue(
                .warning, "'\(word)' is not a known value of \(object.name).\(field.name)\(hint)", at: literal.range,
                suggestion: nearest.map { "\"\($0)\"" }))
    }
}

extension Iteration.Macro {
    var name: String {
        switch self {
        case .all: "all"
        case .exists: "exists"
        case .existsOne: "exists_one"
        case .filter: "filter"
        case .map: "map"
        case .transformList: "transformList"
        case .transformMap: "transformMap"
        case .transformMapEntry: "transformMapEntry"
        }
    }
}

extension Type {
    /// A list, if it is not null.
    fileprivate var isList: Bool {
        switch self {
        case .list: true
        case .nullable(let type): type.isList
        default: false
        }
    }
}

extension Operator {
    /// Beside these stands a word without quotes now and then.
    fileprivate static let comparesWords = [equals, notEquals, isIn]
}

extension Expression {
    /// A name, or a list of them.
    fileprivate var mayBeWord: Bool {
        switch kind {
        case .identifier(_, isRooted: false), .literal(.string): true
        case .list(let elements): elements.allSatisfy { $0.value.mayBeWord }
        default: false
        }
    }

    /// A text, or a list of them.
    fileprivate var isText: Bool {
        switch kind {
        case .literal(.string): true
        case .list(let elements): elements.allSatisfy { $0.value.isText }
        default: false
        }
    }
}

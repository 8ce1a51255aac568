// Functions, operators and macros.
extension Checker {
    mutating func call(
        _ function: String, _ target: Expression?, _ arguments: [Expression], _ range: Range<Int>
    ) -> Checked {
        if target == nil, let signatures = Operator.signatures[function] {
            return operation(function, signatures, arguments.map { check($0) }, range)
        }
        if let target, let function = namespaced(function, target) {
            return resolve(function, arguments.map { check($0) }, isMember: false, range)
        }
        if let target {
            let operands = [check(target)] + arguments.map { check($0) }
            guard let found = environment.functions[function] else {
                return undefined(function, isMember: true, range)
            }
            return resolve(found, operands, isMember: true, range)
        }
        let operands = arguments.map { check($0) }
        let names = environment.candidates(for: function.droppingRoot, isRooted: function.hasPrefix("."))
        guard let found = environment.function(named: names) else {
            return undefined(function, isMember: false, range)
        }
        return resolve(found, operands, isMember: false, range)
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

    private mutating func undefined(_ name: String, isMember: Bool, _ range: Range<Int>) -> Checked {
        let names = environment.functions.values.filter { function in
            function.overloads.contains { $0.isMember == isMember }
        }.map(\.name)
        let nearest = NearMiss.best(of: names + (isMember ? Checker.macroNames : ["has"]), for: name)
        let message = "undefined function '\(name)'\(NearMiss.hint(nearest))"
        report(message, range)
        return wrong(message, range)
    }

    private static let macroNames = [
        "all", "exists", "exists_one", "existsOne", "filter", "map", "optMap", "optFlatMap", "transformList",
        "transformMap", "transformMapEntry",
    ]

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
            return Checked(kind: kind, type: result, range: range)
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

    private func mismatch(_ name: String, _ operands: [Checked]) -> String {
        let types = operands.map { inference.resolve($0.type) }
        let symbol = Operator.symbol(name)
        let what = "'\(symbol)' does not take \(types.map(\.description).joined(separator: " and "))"
        let plain = types.map(\.withoutNull)
        if plain.count == 2, plain.allSatisfy(\.isNumeric) {
            return "\(what); convert one side, as in \(plain[1])(…)"
        }
        if plain.contains(.string), plain.contains(where: \.isNumeric) {
            return "\(what); compare text with text, as in string(…) or \"1\""
        }
        if let other = types.first(where: { $0 != .null }), types.contains(.null) {
            return "\(what): \(other) is never null"
        }
        return what
    }

    // MARK: Macros

    mutating func iteration(_ iteration: Iteration, _ range: Range<Int>) -> Checked {
        let list = check(iteration.range)
        let (key, value) = elements(of: list, iteration)
        let isDouble = iteration.second != nil
        let isMap = if case .map = type(of: list).withoutNull { true } else { false }
        var variables = [(iteration.first, isDouble || isMap ? key : value)]
        if let second = iteration.second { variables.append((second, value)) }
        return with(variables) { checker, slots in
            let predicate = iteration.predicate.map {
                checker.condition($0, "\(iteration.macro.name)() needs a condition")
            }
            let transform = iteration.transform.map { checker.check($0) }
            let checked = CheckedIteration(
                macro: iteration.macro, range: list, first: slots[0], second: isDouble ? slots[1] : nil,
                predicate: predicate, transform: transform)
            let element = isMap ? key : value
            let type = checker.resultType(of: iteration.macro, element: element, key: key, transform)
            return Checked(kind: .iteration(checked), type: type, range: range)
        }
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
        of macro: Iteration.Macro, element: Type, key: Type, _ transform: Checked?
    ) -> Type {
        let result = transform?.type ?? .dyn
        switch macro {
        case .all, .exists, .existsOne: return .bool
        case .filter: return .list(element)
        case .map, .transformList: return .list(result)
        case .transformMap: return .map(key, result)
        case .transformMapEntry:
            if let transform, isStrict, !inference.assign(result, to: .map(.dyn, .dyn)) {
                report(
                    "transformMapEntry() needs a map of one entry, but this is \(typeName(transform))", transform.range)
            }
            return inference.shallow(result)
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

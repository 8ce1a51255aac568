// What was probably meant, where a name is unknown or types do not fit.

// MARK: Names

extension Checker {
    /// Behind the message about a name that means nothing, and what to write instead of it.
    func hint(variable name: String) -> (text: String, suggestion: String?) {
        if let literal = ForeignName.literal(name) { return ("; it is written \(literal)", literal) }
        if let path = fieldPath(name) { return (", did you mean '\(path)'?", path) }
        let names = localNames.filter { !$0.hasPrefix("#") } + environment.variables.map(\.name)
        if let nearest = NearMiss.best(of: names, for: name) { return (NearMiss.hint(nearest), nearest) }
        guard wantsText else { return ("", nil) }
        return ("; a text is written in quotes: \"\(name)\"", "\"\(name)\"")
    }

    /// A name that is a field of something that can be named: `session.status` for `status`.
    private func fieldPath(_ name: String) -> String? {
        let inner = scope.reversed().filter { !$0.name.hasPrefix("#") }.map { (name: $0.name, type: $0.type) }
        let outer = environment.variables.reversed().map { (name: $0.name, type: $0.type) }
        let owner = (inner + outer).first { candidate in
            guard case .object(let object) = known(known(candidate.type).unwrappingOptional.content) else {
                return false
            }
            return object.slot(of: name) != nil
        }
        return owner.map { "\($0.name).\(name)" }
    }

    /// Behind the message about a field that a type does not have, and what to write instead of its name.
    func hint(field name: String, of object: ObjectType) -> (text: String, suggestion: String?) {
        if let field = object.fields.first(where: { $0.knownValues.contains { $0.hasSameText(as: name) } }) {
            let condition = "\(field.name) == \"\(name)\""
            return (", did you mean '\(condition)'?", condition)
        }
        if let nearest = NearMiss.best(of: object.fields.map(\.name), for: name) {
            return (NearMiss.hint(nearest), nearest)
        }
        guard object.fields.count <= 16 else { return ("", nil) }
        return ("; it has \(object.fields.map(\.name).joined(separator: ", "))", nil)
    }

    /// Behind the message about a field of what has none.
    func hint(field name: String, ofValue type: Type) -> String {
        if environment.function(name)?.overloads.contains(where: { $0.isMember && $0.accepts(count: 1) }) == true {
            return "; a function has parentheses: .\(name)()"
        }
        if case .list(let element) = type, case .object(let object) = known(element).withoutNull,
            object.slot(of: name) != nil
        {
            return "; what its elements have is asked of each, as in list.exists(x, x.\(name) == …)"
        }
        return ForeignName.form(ofFunction: name, isMember: true).map { "; it is written \($0)" } ?? ""
    }

    /// Behind the message about a function that there is not.
    func hint(function name: String, isMember: Bool) -> String {
        if isMember, Checker.macroNames.contains(name) {
            return "; the name of an element comes first, as in list.\(name)(x, …)"
        }
        if !isMember, environment.slot(of: name) != nil { return "; it is a value and has no parentheses" }
        if let form = ForeignName.form(ofFunction: name, isMember: isMember) { return "; it is written \(form)" }
        let names = environment.functions.values.filter { function in
            function.overloads.contains { $0.isMember == isMember }
        }.map(\.name)
        let nearest = NearMiss.best(of: names + (isMember ? Checker.macroNames : ["has"]), for: name)
        return NearMiss.hint(name == "not" && !isMember ? "!" : nearest)
    }

    private static let macroNames = [
        "all", "exists", "exists_one", "existsOne", "filter", "map", "optMap", "optFlatMap", "transformList",
        "transformMap", "transformMapEntry",
    ]
}

// MARK: Types

extension Checker {
    /// How a value that is no condition is made one; `isNegated`: behind a `!`.
    func hint(condition node: Checked, isNegated: Bool = false) -> String {
        if case .constant(.string) = node.kind {
            return "; each is a comparison of its own, as in a == \"x\" || a == \"y\""
        }
        let type = inference.resolve(node.type)
        let sign = isNegated ? "==" : "!="
        switch type {
        case .nullable: return "; compare it with null, as in a \(sign) null"
        case .optional: return "; ask whether it is there with .hasValue()"
        case .list, .map: return "; ask how much is in it, as in a.size() \(sign) 0"
        case .string where isNegated: return "; what '!' turns round stands in parentheses, as in !(a in b)"
        case .string: return "; compare it, as in a != \"\""
        case .int, .uint, .double: return "; compare it, as in a \(sign) 0"
        default: return ""
        }
    }

    /// Why an operator does not take its operands.
    func mismatch(_ name: String, _ operands: [Checked]) -> String {
        let types = operands.map { inference.resolve($0.type) }
        if name == Operator.not, let operand = operands.first {
            return "'!' stands before a condition, but this is \(typeName(operand))"
                + hint(condition: operand, isNegated: true)
        }
        let what = "'\(Operator.symbol(name))' does not take \(types.map(\.description).joined(separator: " and "))"
        guard types.count == 2 else {
            return types == [.duration] ? "\(what); write duration(\"0s\") - a" : what
        }
        if let other = types.first(where: { $0 != .null }), types.contains(.null) {
            return "\(what): \(other) is never null"
        }
        return [what, hint(name, operands, types.map(\.withoutNull))].compactMap(\.self).joined(separator: "; ")
    }

    private func hint(_ name: String, _ operands: [Checked], _ types: [Type]) -> String? {
        if name == Operator.isIn {
            return types[1] == .string ? "a text in a text is asked with text.contains(\"a\")" : nil
        }
        if name == Operator.modulo, types[0] == .string { return "a text is filled in with \"%s\".format([a])" }
        if operands[0].isComparison, Operator.orders.contains(name) {
            return "two comparisons are joined with '&&', as in a < b && b < c"
        }
        if types.allSatisfy(\.isNumeric) {
            return types[0] == types[1] ? "it is for whole numbers" : "convert one side, as in \(types[1])(…)"
        }
        if types.contains(where: { $0 == .duration || $0 == .timestamp }) { return timeHint(name, operands, types) }
        guard !Operator.products.contains(name) else { return nil }
        for (index, type) in types.enumerated() {
            if let hint = hint(name, type, beside: types[1 - index], operands[1 - index]) { return hint }
        }
        return nil
    }

    private func hint(_ name: String, _ type: Type, beside other: Type, _ operand: Checked) -> String? {
        switch (type, other) {
        case (.optional, _): return "what may not be there has a value with .orValue(…)"
        case (_, .string) where type.isNumeric && name == Operator.add: return "make it text first, as in string(…)"
        case (_, .string) where type.isNumeric: return numberHint(operand)
        case (.bool, .string) where operand.text == "true" || operand.text == "false":
            return "true and false are written without quotes"
        case (.bool, .int): return "a condition is not compared with a number"
        case (.type, .string): return "a type is written without quotes, as in type(a) == int"
        case (.list, _) where other.isNumeric, (.map, _) where other.isNumeric:
            return "how much is in it is asked with a.size()"
        case (.object(let object), _) where object.fields.count <= 16:
            return "\(object.name) has \(object.fields.map(\.name).joined(separator: ", "))"
        default: return nil
        }
    }

    private func numberHint(_ operand: Checked) -> String {
        guard let text = operand.text, Double(text) != nil else {
            return "compare text with text, as in string(…) or \"1\""
        }
        return "a number is written without quotes: \(text)"
    }

    private func timeHint(_ name: String, _ operands: [Checked], _ types: [Type]) -> String? {
        guard !Operator.products.contains(name) else { return "a duration is a number of seconds with .getSeconds()" }
        guard let other = types.indices.first(where: { types[$0] != .duration && types[$0] != .timestamp }) else {
            return types[0] == types[1] ? "two times only have a difference" : "a time is not a duration, as in now - a"
        }
        guard types[other] == .string || types[other].isNumeric else { return nil }
        let isDuration = types.contains(.duration) || name == Operator.add || name == Operator.subtract
        if isDuration, case .constant(.int(let seconds)) = operands[other].kind {
            return "a duration is written duration(\"\(seconds)s\")"
        }
        return isDuration
            ? "a duration is written duration(\"1h\")" : "a time is written timestamp(\"2026-10-09T12:00:00Z\")"
    }
}

extension Checked {
    /// Of a literal.
    fileprivate var text: String? {
        if case .constant(.string(let text)) = kind { text } else { nil }
    }

    fileprivate var isComparison: Bool {
        if case .operation(let name, _) = kind { Operator.orders.contains(name) } else { false }
    }
}

extension Operator {
    fileprivate static let orders = [less, lessOrEqual, greater, greaterOrEqual]
    fileprivate static let products = [multiply, divide, modulo]
}

// Variables, types and fields.
extension Checker {
    mutating func identifier(_ name: String, isRooted: Bool, _ range: Range<Int>) -> Checked {
        if !isRooted, let local = local(named: name) {
            return Checked(kind: .local(local.slot), type: local.type, range: range)
        }
        if let found = lookUp(name, isRooted: isRooted, range) { return found }
        let (hint, suggestion) = hint(variable: name)
        let message = "undefined variable '\(name)'\(hint)"
        report(CompilationIssue(.error, message, at: range, suggestion: suggestion))
        return wrong(message, range, .noSuchVariable)
    }

    /// A variable or a type by its full name, tried in the container and then outwards (langdef, "Name Resolution").
    private func lookUp(_ name: String, isRooted: Bool, _ range: Range<Int>) -> Checked? {
        for candidate in environment.candidates(for: name, isRooted: isRooted) {
            if let slot = environment.slot(of: candidate) {
                let type = isStrict ? environment.variables[slot].type : .dyn
                return Checked(kind: .variable(slot), type: type, range: range)
            }
            if let type = Type.named(candidate) {
                return Checked(kind: .constant(.type(type)), type: .type(type), range: range)
            }
        }
        return nil
    }

    /// `a.b.c`: the longest part that is a name of its own, then fields.
    mutating func selection(_ expression: Expression) -> Checked {
        if let found = qualified(expression) { return found }
        guard case .select(let operand, let field, let isOptional) = expression.kind else {
            return unexpected(expression)
        }
        return self.field(field, of: check(operand), isOptional: isOptional, expression.range)
    }

    private func qualified(_ expression: Expression) -> Checked? {
        guard let name = expression.qualifiedName, !startsWithLocal(name) else { return nil }
        return lookUp(name.droppingRoot, isRooted: name.hasPrefix("."), expression.range)
    }

    /// What fields of a value are read from, and whether that is inside an optional.
    private func unwrapped(_ node: Checked) -> (content: Type, isOptional: Bool) {
        let (content, isOptional) = type(of: node).unwrappingOptional
        return (known(content), isOptional)
    }

    private func startsWithLocal(_ name: String) -> Bool {
        guard !name.hasPrefix(".") else { return false }
        return local(named: String(name.prefix { $0 != "." })) != nil
    }

    private mutating func field(
        _ name: String, of operand: Checked, isOptional: Bool, _ range: Range<Int>
    ) -> Checked {
        let (content, isInOptional) = unwrapped(operand)
        guard let found = fieldType(name, in: content, range) else {
            let checked = wrong("this has no field '\(name)'", range, .noSuchField)
            return isStrict
                ? checked
                : Checked(kind: .select(operand, name: name, isOptional: isOptional), type: .dyn, range: range)
        }
        let isWrapped = isOptional || isInOptional
        if case .object(let object) = content, let slot = object.slot(of: name) {
            // A field that is null is none.
            let result = isWrapped ? .optional(found.withoutNull) : found
            return Checked(
                kind: .field(operand, object, slot: slot, isOptional: isOptional), type: result, range: range)
        }
        return Checked(
            kind: .select(operand, name: name, isOptional: isOptional), type: isWrapped ? .optional(found) : found,
            range: range)
    }

    /// The type of a field; nil, and a report, when there cannot be such a field.
    private mutating func fieldType(_ name: String, in type: Type, _ range: Range<Int>) -> Type? {
        switch type {
        case .dyn, .error: return .dyn
        case .map(let key, let value):
            guard inference.assign(.string, to: key) else {
                report(
                    "this map has \(inference.resolve(key)) keys, so it has no field '\(name)'; index it with []", range
                )
                return nil
            }
            return value
        case .object(let object):
            if let slot = object.slot(of: name) { return object.fields[slot].type }
            let (hint, suggestion) = hint(field: name, of: object)
            let message = "undefined field '\(name)' of \(object.name)\(hint)"
            // The name is the last word of the range.
            let nameRange = range.upperBound - name.utf8.count..<range.upperBound
            report(CompilationIssue(.error, message, at: nameRange, suggestion: suggestion))
            return nil
        default:
            let message = "\(inference.resolve(type).withArticle) has no fields, so '.\(name)' means nothing here"
            report(message + hint(field: name, ofValue: type), range)
            return nil
        }
    }

    mutating func presence(_ expression: Expression) -> Checked {
        guard case .presence(let operand, let name) = expression.kind else { return unexpected(expression) }
        let checked = check(operand)
        warnAboutUnguarded(operand, checked, field: name, expression.range)
        return presence(of: name, in: checked, expression.range)
    }

    private mutating func presence(of name: String, in operand: Checked, _ range: Range<Int>) -> Checked {
        let (content, _) = unwrapped(operand)
        // The report points at the field inside has(…).
        let fieldRange = operand.range.lowerBound..<max(operand.range.upperBound, range.upperBound - 1)
        if isStrict, fieldType(name, in: content, fieldRange) == nil {
            return Checked(kind: .failure(EvaluationError(.noSuchField, name, at: range)), type: .bool, range: range)
        }
        return Checked(kind: .presence(operand, name: name), type: .bool, range: range)
    }

    mutating func index(_ expression: Expression) -> Checked {
        guard case .index(let operand, let index, let isOptional) = expression.kind else {
            return unexpected(expression)
        }
        let container = check(operand)
        return element(of: container, check(index), isOptional: isOptional, expression.range)
    }

    private mutating func element(
        of operand: Checked, _ index: Checked, isOptional: Bool, _ range: Range<Int>
    ) -> Checked {
        let (content, isInOptional) = unwrapped(operand)
        var result = Type.dyn
        switch content {
        case .dyn, .error: break
        case .list(let element):
            result = element
            if isStrict, !inference.assign(index.type, to: .int) {
                report("a list is indexed by an int, but this is \(typeName(index))", index.range)
            }
            if case .constant(.int(..<0)) = index.kind {
                warn("nothing stands before the first element; the last is list[list.size() - 1]", index.range)
            }
        case .map(let key, let value):
            result = value
            if isStrict, !inference.assign(index.type, to: key) {
                report("this map has \(inference.resolve(key)) keys, but this is \(typeName(index))", index.range)
            }
        case .object(let object):
            report("\(object.name) has fields, which are read with '.', not with []", range)
        default:
            let hint = content == .string ? "; a character of it is text.charAt(0)" : ""
            report("\(typeName(operand)) cannot be indexed\(hint)", range)
        }
        if isOptional || isInOptional { result = .optional(inference.shallow(result)) }
        return Checked(kind: .index(operand, index, isOptional: isOptional), type: result, range: range)
    }
}

extension String {
    /// Without the point that marks a rooted name.
    var droppingRoot: String { hasPrefix(".") ? String(dropFirst()) : self }
}

extension Type {
    /// What fields are read from: the type without null and without one level of optional.
    var unwrappingOptional: (content: Type, isOptional: Bool) {
        if case .optional(let content) = withoutNull { (content.withoutNull, true) } else { (withoutNull, false) }
    }

    /// The type that a name in an expression stands for, as in `type(x) == int`.
    static func named(_ name: String) -> Type? {
        names[name]
    }

    private static let names: [String: Type] = [
        "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes,
        "null_type": .null, "list": .list(.dyn), "map": .map(.dyn, .dyn), "type": .type(nil),
        "optional_type": .optional(.dyn), "google.protobuf.Timestamp": .timestamp,
        "google.protobuf.Duration": .duration, "net.IP": .named("net.IP", []), "net.CIDR": .named("net.CIDR", []),
    ]
}

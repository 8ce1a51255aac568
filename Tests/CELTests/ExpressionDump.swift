import CEL

extension Expression {
    /// The tree in prefix notation, for comparison: every node that is no leaf has brackets of its own.
    var dump: String {
        switch kind {
        case .literal(let value): value.dump
        case .identifier(let name, let isRooted): (isRooted ? "." : "") + name
        case .select(let operand, let field, let isOptional):
            "(\(isOptional ? ".?" : ".")\(field) \(operand.dump))"
        case .presence(let operand, let field): "(has \(field) \(operand.dump))"
        case .index(let operand, let index, let isOptional):
            "(\(isOptional ? "[?]" : "[]") \(operand.dump) \(index.dump))"
        case .call(let function, nil, let arguments): list(function, arguments)
        case .call(let function, let target?, let arguments): list("." + function, [target] + arguments)
        case .and(let operands): list("&&", operands)
        case .or(let operands): list("||", operands)
        case .conditional(let condition, let then, let otherwise): list("?:", [condition, then, otherwise])
        case .list(let elements):
            "[" + elements.map { ($0.isOptional ? "?" : "") + $0.value.dump }.joined(separator: " ") + "]"
        case .map(let entries):
            "{"
                + entries.map { ($0.isOptional ? "?" : "") + $0.key.dump + ":" + $0.value.dump }
                .joined(separator: " ") + "}"
        case .message(let name, let fields):
            "\(name){"
                + fields.map { ($0.isOptional ? "?" : "") + $0.name + ":" + $0.value.dump }.joined(separator: " ")
                + "}"
        case .iteration(let iteration):
            list(
                "\(iteration.macro) \([iteration.first, iteration.second].compactMap(\.self).joined(separator: ","))",
                [iteration.range]) + (iteration.predicate.map { " if \($0.dump)" } ?? "")
                + (iteration.transform.map { " to \($0.dump)" } ?? "")
        case .bind(let name, let value, let body): "(bind \(name) \(value.dump) \(body.dump))"
        }
    }

    private func list(_ head: String, _ tail: [Expression]) -> String {
        "(" + ([head] + tail.map(\.dump)).joined(separator: " ") + ")"
    }
}

extension Value {
    /// With its type, exactly: text as its code points.
    fileprivate var dump: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let int): "\(int)"
        case .uint(let uint): "\(uint)u"
        case .double(let double): "\(double)d"
        case .string(let string): "'" + string.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "'"
        case .bytes(let bytes): "b\(bytes)"
        default: "\(self)"
        }
    }
}

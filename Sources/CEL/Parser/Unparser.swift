extension Expression {
    /// The expression as a source text that parses to the same tree: macros as macros, no parentheses but those needed.
    package var text: String {
        var unparser = Unparser()
        unparser.write(self, in: .whole)
        return unparser.text
    }
}

private struct Unparser {
    var text = ""

    /// How tightly what stands around an expression binds it. What binds less tightly by itself needs parentheses.
    struct Tightness: Comparable {
        var rank: Int
        static let whole = Tightness(rank: 0)
        /// Next to `?` and `:`.
        static let branch = Tightness(rank: 1)
        /// Behind a sign.
        static let sign = Tightness(rank: 7)
        /// In front of a dot or a bracket.
        static let member = Tightness(rank: 8)

        static func operand(of infix: Infix) -> Tightness { Tightness(rank: infix.precedence + 1) }
        static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        var tighter: Tightness { Tightness(rank: rank + 1) }
    }

    mutating func write(_ expression: Expression, in place: Tightness) {
        let needsParentheses = expression.tightness < place
        if needsParentheses { text += "(" }
        write(expression.kind)
        if needsParentheses { text += ")" }
    }

    private mutating func write(_ kind: Expression.Kind) {
        switch kind {
        case .literal(let value): text += value.sourceText
        case .identifier(let name, let isRooted): text += (isRooted ? "." : "") + name
        case .select(let operand, let field, let isOptional): writeSelection(operand, field, isOptional)
        case .presence(let operand, let field):
            text += "has("
            writeSelection(operand, field, false)
            text += ")"
        case .index(let operand, let index, let isOptional):
            write(operand, in: .member)
            text += isOptional ? "[?" : "["
            write(index, in: .whole)
            text += "]"
        case .call(let function, let target, let arguments): writeCall(function, target, arguments)
        case .and(let operands): writeChain(operands, .and)
        case .or(let operands): writeChain(operands, .or)
        case .conditional(let condition, let then, let otherwise):
            write(condition, in: .branch)
            text += " ? "
            write(then, in: .branch)
            text += " : "
            write(otherwise, in: .whole)
        case .list(let elements):
            writeList("[", elements, "]") { $0.writeOptional($1.isOptional, $1.value) }
        case .map(let entries):
            writeList("{", entries, "}") {
                $0.writeOptional($1.isOptional, $1.key)
                $0.text += ": "
                $0.write($1.value, in: .whole)
            }
        case .message(let name, let fields):
            writeList(name + "{", fields, "}") {
                $0.text += ($1.isOptional ? "?" : "") + $1.name.asField + ": "
                $0.write($1.value, in: .whole)
            }
        case .iteration(let iteration): writeIteration(iteration)
        case .bind(let name, let value, let body): writeBind(name, value, body)
        }
    }

    // MARK: Parts

    private mutating func writeSelection(_ operand: Expression, _ field: String, _ isOptional: Bool) {
        write(operand, in: .member)
        text += (isOptional ? ".?" : ".") + field.asField
    }

    private mutating func writeOptional(_ isOptional: Bool, _ value: Expression) {
        if isOptional { text += "?" }
        write(value, in: .whole)
    }

    private mutating func writeList<Item>(
        _ opening: String, _ items: [Item], _ closing: String, each: (inout Unparser, Item) -> Void
    ) {
        text += opening
        for (index, item) in items.enumerated() {
            if index > 0 { text += ", " }
            each(&self, item)
        }
        text += closing
    }

    private mutating func writeChain(_ operands: [Expression], _ infix: Infix) {
        for (index, operand) in operands.enumerated() {
            if index > 0 { text += " \(infix.rawValue) " }
            write(operand, in: .operand(of: infix).tighter)
        }
    }

    private mutating func writeCall(_ function: String, _ target: Expression?, _ arguments: [Expression]) {
        if let infix = Infix(function: function), arguments.count == 2 {
            write(arguments[0], in: .operand(of: infix))
            text += " \(infix.rawValue) "
            write(arguments[1], in: .operand(of: infix).tighter)
        } else if let sign = Operator.sign(function), arguments.count == 1 {
            text += sign
            write(arguments[0], in: sign == "-" && arguments[0].isPlainNumber ? .member.tighter : .sign)
        } else {
            if let target {
                write(target, in: .member)
                text += "."
            }
            writeList(function + "(", arguments, ")") { $0.write($1, in: .whole) }
        }
    }

    private mutating func writeIteration(_ iteration: Iteration) {
        let variables = [iteration.first] + [iteration.second].compactMap(\.self)
        write(iteration.range, in: .member)
        text += ".\(iteration.macro.rawValue)(" + variables.joined(separator: ", ")
        for part in [iteration.predicate, iteration.transform].compactMap(\.self) {
            text += ", "
            write(part, in: .whole)
        }
        text += ")"
    }

    private mutating func writeBind(_ name: String, _ value: Expression, _ body: Expression) {
        if name == Expression.optionalTarget, let map = OptionalMap(body) {
            write(value, in: .member)
            text += map.isFlat ? ".optFlatMap(" : ".optMap("
            text += map.variable + ", "
            write(map.body, in: .whole)
        } else {
            text += "cel.bind(\(name), "
            write(value, in: .whole)
            text += ", "
            write(body, in: .whole)
        }
        text += ")"
    }
}

/// What `optMap` and `optFlatMap` were written with, read back from what they expand to.
private struct OptionalMap {
    var variable: String
    var body: Expression
    var isFlat: Bool

    init?(_ choice: Expression) {
        guard case .conditional(_, let then, _) = choice.kind else { return nil }
        var value = then
        isFlat = true
        if case .call("optional.of", nil, let arguments) = then.kind, arguments.count == 1 {
            value = arguments[0]
            isFlat = false
        }
        guard case .bind(let variable, _, let body) = value.kind else { return nil }
        self.variable = variable
        self.body = body
    }
}

extension Expression {
    fileprivate var tightness: Unparser.Tightness {
        switch kind {
        case .conditional: .whole
        case .or: .operand(of: .or)
        case .and: .operand(of: .and)
        case .call(let function, nil, let arguments):
            if arguments.count == 2, let infix = Infix(function: function) {
                .operand(of: infix)
            } else if arguments.count == 1, Operator.sign(function) != nil {
                .sign
            } else {
                .member
            }
        default: .member
        }
    }

    /// A number to which a minus in front would belong.
    fileprivate var isPlainNumber: Bool {
        switch kind {
        case .literal(.int(let int)): int >= 0
        case .literal(.double(let double)): double.sign == .plus
        default: false
        }
    }
}

extension Operator {
    fileprivate static func sign(_ function: String) -> String? {
        switch function {
        case not: "!"
        case negate: "-"
        default: nil
        }
    }
}

extension String {
    /// Between backquotes where it could not stand without.
    fileprivate var asField: String {
        let isName = utf8.first?.isNameStart == true && utf8.allSatisfy(\.isNameByte)
        return isName && !Word.keywords.contains(self) ? self : "`\(self)`"
    }
}

extension Value {
    /// A literal. Values that have none do not occur in a parsed tree.
    fileprivate var sourceText: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let int): "\(int)"
        case .uint(let uint): "\(uint)u"
        case .double(let double): "\(double)"
        case .string(let string): "'" + string.unicodeScalars.map(\.sourceText).joined() + "'"
        case .bytes(let bytes): "b'" + bytes.map(\.sourceText).joined() + "'"
        default: "\(self)"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var sourceText: String {
        switch self {
        case "'": "\\'"
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0"..<" ", "\u{7F}": UInt8(value).octal
        default: String(self)
        }
    }
}

extension UInt8 {
    /// In a bytes literal.
    fileprivate var sourceText: String {
        (0x20..<0x7F).contains(self) ? Unicode.Scalar(self).sourceText : octal
    }

    private func digit(_ place: UInt8) -> String { String(self >> (3 * place) & 7) }

    fileprivate var octal: String { "\\" + digit(2) + digit(1) + digit(0) }
}

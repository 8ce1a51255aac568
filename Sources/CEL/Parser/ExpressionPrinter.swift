extension Expression {
    /// The expression as a source text that parses to the same tree: macros as macros, no parentheses but those needed.
    package var text: String {
        var printer = ExpressionPrinter()
        printer.write(self, in: .whole)
        return printer.text
    }
}

struct ExpressionPrinter {
    private(set) var text = ""

    /// How tightly what stands around an expression binds it. What binds less tightly by itself needs parentheses.
    struct Tightness: Comparable {
        private let rank: Int

        private init(rank: Int) {
            self.rank = rank
        }

        init(_ precedence: Precedence) {
            rank = 2 + precedence.rawValue
        }

        static let whole = Tightness(rank: 0)
        /// Next to `?` and `:`.
        static let branch = Tightness(rank: 1)
        /// Behind a sign.
        static let sign = Tightness(.multiplication).tighter
        /// In front of a dot or a bracket.
        static let member = sign.tighter

        static func < (a: Tightness, b: Tightness) -> Bool { a.rank < b.rank }

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
        case .literal(let value): text += value.literal
        case .identifier(let name, let isRooted): text += (isRooted ? "." : "") + name.spelledVariable
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
        case .list, .map, .message: writeCollection(kind)
        case .iteration(let iteration): writeIteration(iteration)
        case .bind(let name, let value, let body): writeBind(name, value, body)
        }
    }

    // MARK: Parts

    private mutating func writeSelection(_ operand: Expression, _ field: String, _ isOptional: Bool) {
        write(operand, in: .member)
        text += (isOptional ? ".?" : ".") + field.spelledField
    }

    private mutating func writeCollection(_ kind: Expression.Kind) {
        switch kind {
        case .list(let elements):
            writeAll("[", elements, "]") { $0.writeOptional($1.isOptional, $1.value) }
        case .map(let entries):
            writeAll("{", entries, "}") {
                $0.writeOptional($1.isOptional, $1.key)
                $0.text += ": "
                $0.write($1.value, in: .whole)
            }
        case .message(let name, let fields):
            writeAll(name + "{", fields, "}") {
                $0.text += ($1.isOptional ? "?" : "") + $1.name.spelledField + ": "
                $0.write($1.value, in: .whole)
            }
        default: break
        }
    }

    private mutating func writeOptional(_ isOptional: Bool, _ value: Expression) {
        if isOptional { text += "?" }
        write(value, in: .whole)
    }

    private mutating func writeAll<Item>(
        _ opening: String, _ items: [Item], _ closing: String, each: (inout ExpressionPrinter, Item) -> Void
    ) {
        text += opening
        for (index, item) in items.enumerated() {
            if index > 0 { text += ", " }
            each(&self, item)
        }
        text += closing
    }

    private mutating func writeChain(_ operands: [Expression], _ symbol: Token.Symbol) {
        let place = Tightness(symbol == .or ? .or : .and).tighter
        for (index, operand) in operands.enumerated() {
            if index > 0 { text += " \(symbol.rawValue) " }
            write(operand, in: place)
        }
    }

    private mutating func writeCall(_ function: String, _ target: Expression?, _ arguments: [Expression]) {
        if let infix = Infix(function: function), arguments.count == 2 {
            let place = Tightness(infix.precedence)
            write(arguments[0], in: place)
            text += " \(infix.symbol.rawValue) "
            write(arguments[1], in: place.tighter)
        } else if let sign = Operator.sign(function), arguments.count == 1 {
            text += sign
            write(arguments[0], in: sign == "-" && arguments[0].takesSign ? .member.tighter : .sign)
        } else {
            if let target {
                write(target, in: .member)
                text += "."
            }
            writeAll(function + "(", arguments, ")") { $0.write($1, in: .whole) }
        }
    }

    // MARK: Macros

    private mutating func writeIteration(_ iteration: Iteration) {
        write(iteration.range, in: .member)
        text += ".\(iteration.macro.rawValue)(\(iteration.first.spelledVariable)"
        if let second = iteration.second { text += ", " + second.spelledVariable }
        for part in [iteration.predicate, iteration.transform].compactMap(\.self) {
            text += ", "
            write(part, in: .whole)
        }
        text += ")"
    }

    private mutating func writeBind(_ name: String, _ value: Expression, _ body: Expression) {
        if name == Parser.heldOptional, let map = OptionalMap(body) {
            write(value, in: .member)
            text += "\(map.isFlat ? ".optFlatMap" : ".optMap")(\(map.variable.spelledVariable), "
            write(map.body, in: .whole)
        } else if name == Parser.heldList, case .call(let function, _, let keys) = body.kind, keys.count == 1,
            case .iteration(let keys) = keys[0].kind, let key = keys.transform
        {
            write(value, in: .member)
            text += ".\(function)(\(keys.first.spelledVariable), "
            write(key, in: .whole)
        } else if name == Parser.blockIndex(0) {
            return writeBlock(value, body)
        } else {
            text += "cel.bind(\(name.spelledVariable), "
            write(value, in: .whole)
            text += ", "
            write(body, in: .whole)
        }
        text += ")"
    }

    private mutating func writeBlock(_ first: Expression, _ rest: Expression) {
        var (values, body) = ([first], rest)
        while case .bind(Parser.blockIndex(values.count), let value, let inner) = body.kind {
            values.append(value)
            body = inner
        }
        writeAll("cel.block([", values, "], ") { $0.write($1, in: .whole) }
        write(body, in: .whole)
        text += ")"
    }
}

/// What `optMap` and `optFlatMap` were written with, read back from what they expand to.
private struct OptionalMap {
    let variable: String
    let body: Expression
    let isFlat: Bool

    init?(_ choice: Expression) {
        guard case .conditional(_, let some, _) = choice.kind else { return nil }
        var value = some
        var isFlat = true
        if case .call("of", _, let arguments) = some.kind, arguments.count == 1 {
            value = arguments[0]
            isFlat = false
        }
        guard case .bind(let variable, _, let body) = value.kind else { return nil }
        self.variable = variable
        self.body = body
        self.isFlat = isFlat
    }
}

extension Expression {
    fileprivate var tightness: ExpressionPrinter.Tightness {
        switch kind {
        case .conditional: return .whole
        case .or: return .init(.or)
        case .and: return .init(.and)
        case .call(let function, nil, let arguments):
            if arguments.count == 2, let infix = Infix(function: function) { return .init(infix.precedence) }
            return arguments.count == 1 && Operator.sign(function) != nil ? .sign : .member
        default: return .member
        }
    }

    /// Begins with a number, to which a minus in front would belong.
    fileprivate var takesSign: Bool {
        switch kind {
        case .literal(.int(let int)): int >= 0
        case .literal(.double(let double)): double.sign == .plus
        case .select(let operand, _, _), .index(let operand, _, _), .presence(let operand, _): operand.takesSign
        case .call(_, let target?, _): target.takesSign
        case .iteration(let iteration): iteration.range.takesSign
        case .bind(Parser.heldOptional, let value, _), .bind(Parser.heldList, let value, _): value.takesSign
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
    fileprivate var spelledField: String {
        let isWord = utf8.allSatisfy(isWordPart) && !isDigit(utf8.first)
        return isWord && !["in", "true", "false", "null"].contains(self) ? self : "`\(self)`"
    }

    /// The variables of `cel.block` have names that no source text can have.
    fileprivate var spelledVariable: String {
        if let index = Parser.blockPosition(self) { return "cel.index(\(index))" }
        if let (depth, position) = Parser.blockVariable(self) { return "cel.iterVar(\(depth), \(position))" }
        return self
    }
}

extension Value {
    /// As CEL writes it. Values for which it has no literal do not occur in a parsed tree.
    fileprivate var literal: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let int): "\(int)"
        case .uint(let uint): "\(uint)u"
        case .double(let double): "\(double)"
        case .string(let string): "'" + string.unicodeScalars.map(\.escaped).joined() + "'"
        case .bytes(let bytes): "b'" + bytes.map(\.escaped).joined() + "'"
        default: "\(self)"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var escaped: String {
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
    fileprivate var escaped: String {
        (0x20..<0x7F).contains(self) ? Unicode.Scalar(self).escaped : octal
    }

    fileprivate var octal: String {
        "\\" + [self >> 6, self >> 3 & 7, self & 7].map(String.init).joined()
    }
}

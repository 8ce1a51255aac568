import CEL

/// Writes well-typed expressions at random: each is as its checker wants it, and what it comes to is anybody's guess.
struct ExpressionGenerator {
    private var random: SplitMix
    private var scope: [(name: String, type: Type)]
    /// Whether int, uint and double may be compared with each other.
    private let isMixed: Bool

    init(seed: UInt64, variables: [(name: String, type: Type)], isMixed: Bool) {
        random = SplitMix(state: seed)
        scope = variables
        self.isMixed = isMixed
    }

    mutating func expression() -> String {
        let types: [Type] = [
            .bool, .bool, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .list(.int),
            .list(.string), .map(.string, .int), .optional(.int), .list(.list(.string)), .map(.int, .list(.int)),
        ]
        return expression(pick(types), depth: 1 + below(5))
    }

    // MARK: Chance

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

    // MARK: Any type

    private mutating func expression(_ type: Type, depth: Int) -> String {
        guard depth > 0 else { return leaf(type) }
        switch below(12) {
        case 0: return "(\(expression(.bool, depth: depth - 1)) ? \(both(type, ":", depth)))"
        case 1:
            let bound = pick([Type.int, .string, .list(.int), .optional(.string)])
            let value = expression(bound, depth: depth - 1)
            return binding(bound) { "cel.bind(\($1), \(value), \($0.expression(type, depth: depth - 1)))" }
        case 2: return "\(list(of: type, depth: depth - 1))[\(leaf(.int))]"
        case 3: return "\(expression(.optional(type), depth: depth - 1)).orValue(\(expression(type, depth: depth - 1)))"
        case 4: return "{'a': \(expression(type, depth: depth - 1))}\(pick([".a", "['b']", ".?a.value()"]))"
        case 5: return leaf(type)
        default: return operation(type, depth: depth - 1)
        }
    }

    private mutating func both(_ type: Type, _ between: String, _ depth: Int) -> String {
        "\(expression(type, depth: depth - 1)) \(between) \(expression(type, depth: depth - 1))"
    }

    private mutating func list(of type: Type, depth: Int) -> String { expression(.list(type), depth: depth) }

    private mutating func binding(_ type: Type, _ body: (inout Self, String) -> String) -> String {
        let name = "v\(scope.count)"
        scope.append((name, type))
        defer { scope.removeLast() }
        return body(&self, name)
    }

    private mutating func leaf(_ type: Type) -> String {
        let paths = scope.flatMap { variable in ExpressionGenerator.paths(variable.name, variable.type) }
            .filter { $0.type.withoutNull == type }.map(\.text)
        return paths.isEmpty || below(3) == 0 ? literal(type) : pick(paths)
    }

    /// A variable, and the fields of one that is an object.
    private static func paths(_ name: String, _ type: Type) -> [(text: String, type: Type)] {
        guard case .object(let object) = type.withoutNull else { return [(name, type)] }
        return [(name, type)] + object.fields.flatMap { paths("\(name).\($0.name)", $0.type) }
    }

    private mutating func literal(_ type: Type) -> String {
        switch type {
        case .bool: pick(["true", "false"])
        case .int: pick(["0", "1", "-1", "2", "7", "64", "9223372036854775807", "-9223372036854775808"])
        case .uint: pick(["0u", "1u", "3u", "18446744073709551615u"])
        case .double: pick(["0.0", "-0.0", "1.5", "-2.5", "1e300", "5e-324", "(0.0 / 0.0)", "(1.0 / 0.0)"])
        case .string: pick(["''", "'a'", "'abc'", "'é'", "'a,b'", "'🐱'", "'12'", "'%s'", "'1h'", "'UTC'"])
        case .bytes: pick(["b''", "b'a'", "b'\\xff'"])
        case .timestamp:
            pick(["timestamp(0)", "timestamp('2026-10-09T12:00:00.5Z')", "timestamp('0001-01-01T00:00:00Z')"])
        case .duration: pick(["duration('0s')", "duration('90m')", "duration('-1.5s')", "duration('2000000h')"])
        case .list(let element): "[\(literal(element)), \(literal(element))]"
        case .map(let key, let value): "{\(literal(key)): \(literal(value))}"
        case .optional(let content): pick(["[\(literal(content))][?9]", "optional.of(\(literal(content)))"])
        default: "null"
        }
    }

    // MARK: One type

    private mutating func operation(_ type: Type, depth: Int) -> String {
        switch type {
        case .bool: condition(depth)
        case .int: integer(depth)
        case .uint, .double: number(type, depth)
        case .string: text(depth)
        case .bytes: pick([{ "bytes(\($0.expression(.string, depth: depth)))" }, sum(.bytes, depth)])(&self)
        case .timestamp: "(\(expression(.timestamp, depth: depth)) + \(expression(.duration, depth: depth)))"
        case .duration: "(\(both(pick([.duration, .timestamp]), "-", depth + 1)))"
        case .list(let element): list(element, depth)
        case .map(let key, let value): map(key, value, depth)
        case .optional(let content): optional(content, depth)
        default: leaf(type)
        }
    }

    private typealias Rule = (inout Self) -> String

    private func sum(_ type: Type, _ depth: Int) -> Rule {
        { "(\($0.both(type, "+", depth + 1)))" }
    }

    private mutating func condition(_ depth: Int) -> String {
        let plain: [Type] = [.int, .uint, .double, .string, .bytes, .timestamp, .duration, .bool]
        let numbers: [Type] = [.int, .uint, .double]
        let (type, number, other) = (pick(plain), pick(numbers), pick(numbers))
        let rules: [Rule] = [
            { "(\($0.both(.bool, $0.pick(["&&", "||"]), depth + 1)))" }, { "!\($0.expression(.bool, depth: depth))" },
            { "(\($0.both(type, $0.pick(["<", "<=", ">", ">=", "==", "!="]), depth + 1)))" },
            {
                "(\($0.expression(number, depth: depth)) < \($0.expression($0.isMixed ? other : number, depth: depth)))"
            },
            { "(\($0.both(.list(type), "==", depth + 1)))" }, { "(\($0.both(.map(.string, .int), "!=", depth + 1)))" },
            { "(\($0.expression(type, depth: depth)) in \($0.list(of: type, depth: depth)))" },
            { "(\($0.expression(.string, depth: depth)) in \($0.expression(.map(.string, .int), depth: depth)))" },
            { "\($0.expression(.string, depth: depth)).\($0.pick(["contains", "startsWith"]))(\($0.leaf(.string)))" },
            { "\($0.expression(.string, depth: depth)).matches(\($0.pick(["'^a'", "'(a|b)+$'", "s"])))" },
            { $0.macro($0.pick(["all", "exists", "exists_one"]), depth) },
            { "\($0.expression(.optional(type), depth: depth)).hasValue()" },
            { _ in "has(maybe.note)" }, { _ in "has(part.since)" }, { _ in "(part == maybe)" },
            { "parts.exists(x, x.tags.exists(y, y == \($0.leaf(.string))) || x.count > \($0.leaf(.int)))" },
        ]
        return pick(rules)(&self)
    }

    private mutating func macro(_ name: String, _ depth: Int) -> String {
        let element = pick([Type.int, .string, .list(.int)])
        let range = list(of: element, depth: depth)
        return binding(element) { "\(range).\(name)(\($1), \($0.expression(.bool, depth: depth)))" }
    }

    private mutating func integer(_ depth: Int) -> String {
        let rules: [Rule] = [
            { "(\($0.both(.int, $0.pick(["+", "-", "*", "/", "%"]), depth + 1)))" },
            { "(-\($0.expression(.int, depth: depth)))" }, { "size(\($0.expression(.string, depth: depth)))" },
            { "\($0.list(of: $0.pick([.int, .string]), depth: depth)).size()" },
            { "int(\($0.expression($0.pick([.uint, .double, .string, .timestamp]), depth: depth)))" },
            { "\($0.expression(.string, depth: depth)).indexOf(\($0.expression(.string, depth: depth)))" },
            { "math.\($0.pick(["bitAnd", "bitOr", "bitShiftLeft", "greatest"]))(\($0.both(.int, ",", depth + 1)))" },
            { "math.least(\($0.list(of: .int, depth: depth)))" },
            { "\($0.expression(.timestamp, depth: depth)).getDayOfYear(\($0.pick(["", "'Europe/Berlin'", "s"])))" },
            { "\($0.expression(.duration, depth: depth)).getMinutes()" },
        ]
        return pick(rules)(&self)
    }

    private mutating func number(_ type: Type, _ depth: Int) -> String {
        let rules: [Rule] = [
            { "(\($0.both(type, $0.pick(["+", "-", "*", "/"]), depth + 1)))" },
            { "\(type)(\($0.expression($0.pick([.int, .uint, .double, .string]), depth: depth)))" },
            { "math.abs(\($0.expression(type, depth: depth)))" },
            {
                type == .double
                    ? "math.round(\($0.expression(.double, depth: depth)))" : "math.bitNot(\($0.leaf(.uint)))"
            },
        ]
        return pick(rules)(&self)
    }

    private mutating func text(_ depth: Int) -> String {
        let shown = pick([Type.bool, .int, .uint, .double, .string, .timestamp, .duration])
        let rules: [Rule] = [
            sum(.string, depth), { "string(\($0.expression(shown, depth: depth)))" },
            { "\($0.expression(.string, depth: depth)).\($0.pick(["trim", "lowerAscii", "upperAscii", "reverse"]))()" },
            {
                "\($0.expression(.string, depth: depth)).replace(\($0.leaf(.string)), \($0.expression(.string, depth: depth)))"
            },
            { "\($0.expression(.string, depth: depth)).substring(\($0.leaf(.int)))" },
            { "\($0.list(of: .string, depth: depth)).join(\($0.leaf(.string)))" },
            { "'%s-%s'.format([\($0.expression(shown, depth: depth)), \($0.list(of: shown, depth: depth))])" },
            { "strings.quote(\($0.expression(.string, depth: depth)))" },
            { "base64.encode(\($0.expression(.bytes, depth: depth)))" },
        ]
        return pick(rules)(&self)
    }

    private mutating func list(_ element: Type, _ depth: Int) -> String {
        let from = pick([Type.int, .string])
        let range = list(of: from, depth: depth)
        let rules: [Rule] = [
            sum(.list(element), depth), { "[\($0.both(element, ",", depth + 1))]" },
            { "[?\($0.expression(.optional(element), depth: depth))]" },
            { generator in
                generator.binding(from) { "\(range).map(\($1), \($0.expression(element, depth: depth)))" }
            },
            { generator in
                let range = generator.list(of: element, depth: depth)
                return generator.binding(element) { "\(range).filter(\($1), \($0.expression(.bool, depth: depth)))" }
            },
            { "m.transformList(k, v, \($0.expression(element, depth: depth)))" },
            {
                "\(element == .string ? $0.expression(.string, depth: depth) + ".split(',')" : $0.leaf(.list(element)))"
            },
        ]
        return pick(rules)(&self)
    }

    private mutating func map(_ key: Type, _ value: Type, _ depth: Int) -> String {
        let rules: [Rule] = [
            { "{\($0.expression(key, depth: depth)): \($0.expression(value, depth: depth))}" },
            { "{?\($0.expression(key, depth: depth)): \($0.expression(.optional(value), depth: depth))}" },
            {
                "\($0.list(of: value, depth: depth)).transformMapEntry(i, v, {\($0.expression(key, depth: depth)): v})"
            },
            {
                "\($0.expression(.map(key, .string), depth: depth)).transformMap(k, v, \($0.expression(value, depth: depth)))"
            },
        ]
        return pick(rules)(&self)
    }

    private mutating func optional(_ content: Type, _ depth: Int) -> String {
        let rules: [Rule] = [
            { "optional.of(\($0.expression(content, depth: depth)))" },
            { "optional.ofNonZeroValue(\($0.expression(content, depth: depth)))" },
            { "\($0.list(of: content, depth: depth))[?\($0.leaf(.int))]" },
            { "{'a': \($0.expression(content, depth: depth))}[?\($0.leaf(.string))]" },
            {
                "\($0.expression(.optional(content), depth: depth)).or(\($0.expression(.optional(content), depth: depth)))"
            },
            { generator in
                let from = generator.expression(.optional(.int), depth: depth)
                return generator.binding(.int) { "\(from).optMap(\($1), \($0.expression(content, depth: depth)))" }
            },
        ]
        return pick(rules)(&self)
    }
}

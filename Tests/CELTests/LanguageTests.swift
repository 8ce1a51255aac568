import CEL
import Testing

@Suite struct LanguageTests {
    @Test(
        arguments: [
            ("1 + 2 * 3 - 4 / 2 % 3", "5"), ("-(3) + -2", "-5"), ("7u + 1u", "8"), ("1.5 * 2.0", "3"),
            ("'a' + \"b\" + r'\\n'", "ab\\n"), ("b'ab' == bytes('ab')", "true"), ("[1, 2] + [3]", "[1, 2, 3]"),
            ("{'b': 1, 'a': [2]}", "{a: [2], b: 1}"), ("0x1F", "31"), (".5 + 1e1", "10.5"),
            ("-9223372036854775808", "-9223372036854775808"), ("true ? 'yes' : 'no'", "yes"),
            ("'''one\ntwo'''.size()", "7"), ("// a comment\n 1", "1"), ("[1, 2,].size()", "2"),
            ("{'content-type': 1}.`content-type`", "1"), ("1 in [1, 2] && 'k' in {'k': 0}", "true"),
            ("[[1], [2]][1][0]", "2"), ("!false && !!true", "true"), ("null == null", "true"),
            ("timestamp('2026-10-09T12:00:00Z') - duration('36h')", "2026-10-08T00:00:00Z"),
            ("duration('1h30m') + duration('-0.5s')", "5399.5s"), ("type([1]) == list && type(1u) == uint", "true"),
        ])
    func `operators, literals and selections give what the language says`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("9223372036854775807 + 1", "error: overflow"), ("-(-9223372036854775808)", "error: overflow"),
            ("0u - 1u", "error: overflow"), ("1 / 0", "error: divisionByZero"), ("5u % 0u", "error: divisionByZero"),
            ("1.0 / 0.0", "Infinity"), ("[1][1]", "error: invalidArgument"), ("[1][-1]", "error: invalidArgument"),
            ("{'a': 1}['b']", "error: noSuchKey"), ("{'a': 1}.b", "error: noSuchKey"),
            ("{'a': 1, 'a': 2}", "error: invalidArgument"), ("{1: 1, 1u: 2}", "error: invalidArgument"),
            ("dyn('a') < 1", "error: noSuchOverload"), ("int('x')", "error: invalidArgument"),
            ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: overflow"),
            ("duration('2500000h') + duration('2500000h')", "error: overflow"),
            ("string(b'\\xff')", "error: invalidArgument"), ("dyn([1]).matches('a')", "error: noSuchOverload"),
        ])
    func `what has no value is an error`(source: String, outcome: String) {
        #expect(evaluate(source) == outcome)
    }

    @Test(
        arguments: [
            ("1 / 0 > 0 || true", "true"), ("true || 1 / 0 > 0", "true"), ("1 / 0 > 0 && false", "false"),
            ("1 / 0 > 0 || false", "error: divisionByZero"), ("true ? 1 : 1 / 0", "1"),
            ("[1, 0].exists(x, 1 / x == 1)", "true"), ("[0, 1].exists(x, 1 / x == 1)", "true"),
            ("[0].exists(x, 1 / x == 1)", "error: divisionByZero"), ("[0, 2].all(x, 1 / x == 1)", "false"),
            ("cel.bind(x, 1 / 0, true)", "true"), ("optional.of(1).orValue(1 / 0)", "1"),
        ])
    func `an operand that decides outweighs an error`(source: String, outcome: String) {
        #expect(evaluate(source) == outcome)
    }

    @Test(
        arguments: [
            ("[1, 2].all(x, x > 0)", "true"), ("[1, 2].exists(x, x > 1)", "true"),
            ("[1, 2].exists_one(x, x > 1)", "true"), ("[1, 2].existsOne(x, x > 0)", "false"),
            ("[1, 2, 3].filter(x, x != 2)", "[1, 3]"), ("[1, 2].map(x, x * 2)", "[2, 4]"),
            ("[1, 2, 3].map(x, x > 1, x * 2)", "[4, 6]"), ("{'a': 1}.map(k, k)", "[a]"),
            ("['a'].all(i, v, i == 0 && v == 'a')", "true"), ("{'a': 1}.exists(k, v, v == 1)", "true"),
            ("[5, 6].existsOne(i, v, i == 1)", "true"), ("[5, 6].transformList(i, v, i + v)", "[5, 7]"),
            ("[5, 6].transformList(i, v, i > 0, v)", "[6]"), ("{'a': 1}.transformMap(k, v, v + 1)", "{a: 2}"),
            ("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v)", "{b: 2}"),
            ("['x', 'y'].transformMapEntry(i, v, {v: i})", "{x: 0, y: 1}"),
            ("[1, 1].transformMapEntry(i, v, {v: i})", "error: invalidArgument"),
            ("has({'a': 1}.a) && !has({}.a)", "true"), ("cel.bind(x, 2, x * x)", "4"),
            ("[1, 2].map(x, [3].map(y, x * y))", "[[3], [6]]"), ("[1].map(x, [x].map(x, x + 1))", "[[2]]"),
            ("optional.of(2).optMap(x, x + 1)", "optional.of(3)"), ("optional.none().optMap(x, x)", "optional.none()"),
            ("optional.of({'a': 1}).optFlatMap(m, m.?a)", "optional.of(1)"), ("{}.?a.orValue('none')", "none"),
            ("{'a': {'b': 1}}.?a.?b.value()", "1"), ("[1][?3].hasValue()", "false"), ("[?{}.?a, 1]", "[1]"),
            ("{?'a': {}.?b, 'c': 1}", "{c: 1}"),
        ])
    func `macros and optionals`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test func `text is compared by code point, not by what looks the same`() {
        #expect(evaluate(#"'\u00e9' == 'e\u0301'"#) == "false")
        #expect(evaluate(#"{'\u00e9': 1}.exists(k, k == 'e\u0301')"#) == "false")
        #expect(evaluate(#"'e\u0301'.size()"#) == "2")
        #expect(evaluate(#"'\uffff' < '\U00010000'"#) == "true")
    }

    @Test(arguments: [3, 40])
    func `keys of equal value find one entry, in small maps and large`(count: Int) throws {
        let map = MapValue((0..<count).map { (key: .int(Int64($0)), value: .int(Int64($0 * 10))) })
        for key in [Value.int(2), .uint(2), .double(2)] {
            #expect(map[key: key]?.equals(.int(20)) == true)
        }
        #expect(map[key: .double(2.5)] == nil)
        #expect(map[key: .string("2")] == nil)
    }

    @Test func `a name is looked up in the container and outwards`() throws {
        var environment = Environment()
        environment.container = "com.example"
        environment.declare("com.x", .int)
        environment.declare("y", .int)
        var activation = Activation(environment)
        activation[0] = .int(1)
        activation[1] = .int(2)
        #expect(evaluate("x + y + .y", environment, activation) == "5")
    }

    @Test func `an unset variable is an error only where it is read`() {
        var environment = Environment()
        environment.declare("x", .int)
        #expect(evaluate("x == 1", environment) == "error: noSuchVariable")
        #expect(evaluate("x == 1 || true", environment) == "true")
    }

    @Test func `an error says where in the source it happened`() throws {
        let source = "1 + [4, 5][7]"
        let value = try Environment().compile(source).evaluate(Activation(Environment()))
        guard case .error(let error) = value else {
            Issue.record("there is a value: \(value)")
            return
        }
        #expect(error.range == 4..<13)
    }

    @Test func `an unchecked expression fails when it is evaluated`() throws {
        let program = try Environment().compile("nothing + 1", checked: false)
        #expect(describe(program.evaluate(Activation(Environment()))) == "error: noSuchVariable")
        let absorbed = try Environment().compile("f(1) || 'a' + 1 == 2 || true", checked: false)
        #expect(describe(absorbed.evaluate(Activation(Environment()))) == "true")
    }
}

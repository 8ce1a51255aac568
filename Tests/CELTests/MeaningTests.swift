import CEL
import Testing

/// Corners of the language where it is easy to be wrong.
@Suite struct MeaningTests {
    /// What is no expression at all, whatever is said about it.
    private func outcome(_ source: String) -> String {
        let found = evaluate(source)
        return found.hasPrefix("does not compile") ? "refused" : found
    }

    @Test(
        arguments: [
            ("dyn(2) == 2.0 && dyn(2u) == 2 && dyn(2.0) == 2u", "true"), ("dyn(2) == '2' || dyn(true) == 1", "false"),
            ("dyn([2, {'a': 3u}]) == dyn([2.0, {'a': 3}])", "true"), ("dyn(-1) < 0u && dyn(0u) > -1", "true"),
            ("dyn(18446744073709551615u) > 9223372036854775807", "true"), ("0.0 / 0.0 == 0.0 / 0.0", "false"),
            ("0.0 / 0.0 != 0.0 / 0.0", "true"), ("dyn(0.0 / 0.0) < 1 || dyn(0.0 / 0.0) >= 1", "false"),
            ("0.0 == -0.0", "true"), ("{1: 'a'}[dyn(1u)] + {2u: 'b'}[dyn(2.0)]", "ab"),
            ("dyn(1.0) in {1: 0} && !(dyn(1.5) in {1: 0})", "true"), ("[7, 8][dyn(1.0)]", "8"),
            ("dyn([7])[0.5]", "error: noSuchOverload"), ("dyn({1: 2})[1.5]", "error: noSuchOverload"),
            ("{dyn(1.0): 2}", "error: noSuchOverload"), ("{true: 1, 'true': 2, 1: 3}.size()", "3"),
        ])
    func `numbers are compared by value, and nothing else across types`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test(
        arguments: [
            ("int(2.9) + int(-2.9)", "0"), ("int(9.3e18)", "error: overflow"),
            ("int(9223372036854775808u)", "error: overflow"), ("uint(-1)", "error: overflow"), ("uint(1.9)", "1"),
            ("int('-9223372036854775808')", "-9223372036854775808"),
            ("int('9223372036854775808')", "error: invalidArgument"), ("int('0x1F')", "error: invalidArgument"),
            ("int(' 5')", "error: invalidArgument"), ("uint('18446744073709551615')", "18446744073709551615"),
            ("double('1e400')", "error: invalidArgument"), ("double('-Infinity')", "-Infinity"),
            ("bool('t') && !bool('False')", "true"), ("bool('yes')", "error: invalidArgument"),
            ("string(1.0) + string(-0.5)", "1-0.5"), ("string(b'\\xc3\\xa9')", "é"),
            ("int(timestamp('1969-12-31T23:59:59.5Z'))", "-1"), ("type(type(1)) == type", "true"),
            ("type(null) == null_type", "true"),
        ])
    func `conversions keep to the range, and cut toward zero`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test(
        arguments: [
            ("-0x8000000000000000", "-9223372036854775808"), ("- 9223372036854775808", "-9223372036854775808"),
            ("--5", "5"), ("9223372036854775808", "refused"), ("-(9223372036854775808)", "refused"),
            ("-9223372036854775808 / -1", "error: overflow"), ("-9223372036854775808 % -1", "error: overflow"),
            ("-7 / 2 * 10 + -7 % 3", "-31"), ("0xFFFFFFFFFFFFFFFFu", "18446744073709551615"), ("-1u", "refused"),
            ("double(007) + 1E2", "107"), ("5 - -3 - 2", "6"), ("-[1, 2][1]", "-2"), ("1.0 % 2.0", "refused"),
        ])
    func `a minus in front of a number belongs to it`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test(
        arguments: [
            (#"'\x41\u00e9\U0001F600\101'"#, "Aé😀A"), (#"r'\x41' + R"\n""#, #"\x41\n"#), (#"'\?\`\"\''"#, #"?`"'"#),
            (#"b'\xff\377' == b'\377\xff'"#, "true"), (#"b'é'.size()"#, "2"), (#"b'\u00e9'"#, "refused"),
            (#"'\8'"#, "refused"), (#"'\400'"#, "refused"), (#"'\ud800'"#, "refused"), (#"'\U00110000'"#, "refused"),
            (#"rb'\n'.size() + bR'\n'.size()"#, "4"), ("'''it's ''quoted'' '''", "it's ''quoted'' "),
            ("'''a\r\nb'''.size()", "3"), ("'a\nb'", "refused"), (#"r'\''"#, "refused"),
            ("\"\"\"a\"b\"\"\"", "a\"b"),
        ])
    func `literals of text and bytes say what stands in them`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test(
        arguments: [
            (#"{'\u00e9': 1, 'e\u0301': 2}['e\u0301']"#, "2"), (#"['\u00e9'] == ['e\u0301']"#, "false"),
            (#"'e\u0301' in ['\u00e9'] || 'e\u0301' in {'\u00e9': 1}"#, "false"), (#"'\u00e9' < 'e\u0301'"#, "false"),
            (#"'cafe\u0301'.contains('\u00e9')"#, "false"), (#"'cafe\u0301'.endsWith('\u0301')"#, "true"),
            (#"'e\u0301x'.indexOf('x')"#, "2"), (#"'e\u0301'.charAt(0)"#, "e"),
            (#"'e\u0301'.startsWith('e')"#, "true"), (#"'\r\n'.size() + '👩‍👩‍👧'.size()"#, "7"),
            (#"'a\r\nb'.indexOf('\n')"#, "2"), (#"'e\u0301'.matches('^.$')"#, "false"),
            (#"['\u00e9', 'e\u0301'].transformMapEntry(i, v, {v: i}).size()"#, "2"),
            (#"'\u212b' == '\u00c5'"#, "false"),
        ])
    func `a character is a code point`(source: String, value: String) {
        // Compared by code point, too.
        #expect(outcome(source).unicodeScalars.elementsEqual(value.unicodeScalars))
    }

    @Test(
        arguments: [
            ("timestamp('2026-10-09T23:30:00Z').getDate('+05:30')", "10"),
            ("timestamp('2026-10-09T23:30:00Z').getHours('-03:30')", "20"),
            ("timestamp('2026-10-09T12:00:00Z').getMinutes('Asia/Kathmandu')", "45"),
            ("timestamp('2026-03-29T00:59:59Z').getHours('Europe/Berlin')", "1"),
            ("timestamp('2026-03-29T01:00:00Z').getHours('Europe/Berlin')", "3"),
            ("timestamp('2026-12-31T23:30:00Z').getFullYear('Asia/Tokyo')", "2027"),
            ("timestamp('2026-12-31T23:30:00Z').getDayOfYear('Asia/Tokyo')", "0"),
            ("timestamp('2024-12-31T00:00:00Z').getDayOfYear()", "365"),
            ("timestamp('1969-07-20T20:17:40Z').getDayOfWeek()", "0"),
            ("timestamp('1969-12-31T23:59:59.5Z').getMilliseconds()", "500"),
            ("timestamp('1969-12-31T23:59:59.5Z').getSeconds()", "59"), ("timestamp(0).getHours('+24:00')", "refused"),
            ("timestamp(0).getHours('+5')", "refused"), ("duration('-90m').getHours()", "-1"),
            ("duration('62m3.25s').getSeconds()", "3723"), ("duration('1.25s').getMilliseconds()", "250"),
            ("timestamp('2026-02-30T00:00:00Z')", "refused"),
            ("timestamp('2026-10-09T12:00:00.5+02:00')", "2026-10-09T10:00:00.5Z"),
            ("timestamp('0001-01-01T00:00:00Z') - duration('1ns')", "error: overflow"),
            ("duration('1.5h') - duration('-1h30m')", "10800s"),
        ])
    func `times are read in the zone that is asked for`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test(
        arguments: [
            ("1 / 0 == 1 ? 1 : 2", "error: divisionByZero"), ("(1 / 0 == 1 || true) ? 1 : 2", "1"),
            ("dyn(1) || true", "true"), ("dyn('a') && false", "false"), ("dyn(1) || false", "error: noSuchOverload"),
            ("!dyn(1)", "error: noSuchOverload"), ("[0, 2].exists_one(x, 4 / x == 2)", "error: divisionByZero"),
            ("[2, 0].filter(x, 4 / x == 2)", "error: divisionByZero"), ("true ? 1 : false ? 2 : 3", "1"),
            ("1 + 2 in [3] == true", "true"), ("-1 in [-1]", "true"), ("!true == false", "true"),
            ("1 < 2 == true", "true"), ("'a' in {'a': 1} && true", "true"), ("2 + 3 * 4 % 5 - 1", "3"),
        ])
    func `errors are absorbed by && and || alone, and operators bind as they should`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test(
        arguments: [
            ("cel.bind(x, 1, cel.bind(y, x + 1, cel.bind(x, 5, x + y)))", "7"), ("cel.bind(x, x, 1)", "refused"),
            ("[1, 2].map(x, cel.bind(x, x * 10, x + 1))", "[11, 21]"),
            ("cel.bind(size, 3, size + size([1]))", "4"), ("[{'abs': 1}].map(math, math.abs)", "[1]"),
            ("[1].map(int, int + 1)", "[2]"), ("cel.block([2, cel.index(0) * 3], cel.index(1))", "6"),
            ("cel.block([1], [5].map(cel.iterVar(0, 0), cel.iterVar(0, 0) + cel.index(0)))", "[6]"),
            ("cel.bind(o, optional.of(2), o.optMap(o, o + 1).value())", "3"),
            ("optional.of(1).optMap(x, optional.of(2).optMap(y, x + y))", "optional.of(optional.of(3))"),
            ("{'a': null}.?a.hasValue() && has({'a': null}.a)", "true"),
            ("{'a': {'b': [1]}}.?a.b[?3].orValue(9)", "9"), ("{'a': {}}.?a.b.c.d", "optional.none()"),
            ("optional.of(dyn(1)) == optional.of(dyn(1.0))", "true"),
            ("optional.of(1).optMap(x, x / 0)", "error: divisionByZero"),
            ("{'if': 1, 'as': 2}.if + {'as': 2}.as", "3"), ("{'in': 1}.in", "refused"),
            ("[7].all(i, v, i < v)", "true"),
        ])
    func `names mean what is bound nearest`(source: String, value: String) {
        #expect(outcome(source) == value)
    }

    @Test func `a name bound by a macro comes before one in the container`() throws {
        var environment = Environment()
        environment.container = "a.b"
        for name in ["a.b.x", "a.x", "x", "a.b.y.z"] { environment.declare(name, .int) }
        var activation = Activation(environment)
        for (slot, number) in [1, 2, 3, 4].enumerated() { activation[slot] = .int(Int64(number)) }
        #expect(evaluate("[x, .x, .a.x, y.z]", environment, activation) == "[1, 3, 2, 4]")
        #expect(evaluate("[9].map(x, [x, .x])", environment, activation) == "[[9, 3]]")
        #expect(evaluate("[{'z': 8}].map(y, y.z)", environment, activation) == "[8]")
    }
}

import CEL
import Testing

/// Printing an expression and reading it again gives the same tree.
@Suite struct PrinterTests {
    /// Written as it is printed.
    @Test(arguments: [
        "a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c", "-(1)", "--1", "-(1.5)", "-1.x", "a - -1", "!(a && b)",
        "!a.b", "(!a).b", "(a + b).c()", "a && (b && c)", "(a && b) && c", "a && b && c || d", "(a || b) && c",
        "a ? b : c ? d : e", "(a ? b : c) ? d : e", "a ? (b ? c : d) : e", "(a ? b : c) + 1", "a == (b == c)",
        "a in [1, 2]", "a in (b in c)", "a < b == c", "[a, ?b.?c[?d]]", "{'k': 1, ?f(x): a ? b : c}",
        ".a.b", ".f(x)", "a.`b-c`.`in`.for", "has(a.b.`c d`)", "a.b.C{f: 1, ?`g-h`: 2}", ".C{}",
        "l.all(x, x > 0)", "l.exists(k, v, k == v)", "l.existsOne(x, x)", "l.filter(x, x).map(x, x, -x)",
        "m.transformList(k, v, v)", "m.transformMap(k, v, v > 1, v)", "m.transformMapEntry(k, v, {v: k})",
        "cel.bind(x, a + b, x * x)", "o.optMap(x, x + 1)", "(a ? b : c).optFlatMap(x, x.?y)",
        "o.optMap(x, x.optMap(y, x + y))",
        #"'a\'\\\n\000é'"#, #"b'a\'\377\000'"#, "1u", "1.5", "1e+100", "-0.0", "null", "-9223372036854775808",
        "o.optMap(x, x.optFlatMap(y, y[?0]))", "cel.block([1, cel.index(0) + 1], cel.index(1))",
        "[1].map(cel.iterVar(0, 0), cel.iterVar(0, 0))", "cel.bind(cel.index(1), 1, 2)",
        "cel.bind(cel.iterVar(0, 0), 1, 2)", "o.optMap(cel.index(0), cel.index(0))",
        "o.optFlatMap(cel.iterVar(1, 2), a)", "-(1.f())", "-(1[0])", "-1u", "a.`true`", "a.`1b`",
        "(a + b)[0][1]", "[1][0]", "(-a).b", "-a.b", "f()", "a.f(b, c)", "1.f()",
    ])
    func `an expression prints as it was written`(source: String) throws {
        let parsed = try Parser.parse(source)
        #expect(parsed.text == source)
        #expect(try Parser.parse(parsed.text).dump == parsed.dump)
    }

    @Test(arguments: [
        ("((a))+((b*c))", "a + b * c"), ("l.exists_one(x,x)", "l.existsOne(x, x)"), ("0x10", "16"),
        ("r'''\\n'''", "'\\\\n'"),
        ("[1,]", "[1]"), ("a&&b&&c", "a && b && c"), ("(a && b) || (c)", "a && b || c"), ("!(a)", "!a"),
        ("(a in b) in c", "a in b in c"),
    ])
    func `what may be left out is left out`(source: String, printed: String) throws {
        #expect(try Parser.parse(source).text == printed)
    }

    @Test func `a thousand operands print in one line`() throws {
        let source = Array(repeating: "a", count: 1000).joined(separator: " || ")
        #expect(try Parser.parse(source).text == source)
    }
}

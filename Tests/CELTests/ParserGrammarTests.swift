import Testing

@testable import CEL

@Suite struct ParserGrammarTests {
    @Test(arguments: [
        ("a + b * c", "(_+_ a (_*_ b c))"),
        ("a * b + c", "(_+_ (_*_ a b) c)"),
        ("(a + b) * c", "(_*_ (_+_ a b) c)"),
        ("a - b - c", "(_-_ (_-_ a b) c)"),
        ("a - (b - c)", "(_-_ a (_-_ b c))"),
        ("a / b % c * d", "(_*_ (_%_ (_/_ a b) c) d)"),
        ("a < b == c", "(_==_ (_<_ a b) c)"),
        ("a + 1 <= b", "(_<=_ (_+_ a 1) b)"),
        ("a in b in c", "(@in (@in a b) c)"),
        ("!a in b", "(@in (!_ a) b)"),
        ("a >= b != c > d", "(_>_ (_!=_ (_>=_ a b) c) d)"),
        ("a || b && c || d", "(|| a (&& b c) d)"),
        ("a && b && c == d", "(&& a b (_==_ c d))"),
        ("(a && b) && c", "(&& (&& a b) c)"),
        ("a && (b && c)", "(&& a (&& b c))"),
        ("a || b ? c || d : e ? f : g", "(?: (|| a b) (|| c d) (?: e f g))"),
        ("(a ? b : c) ? d : e", "(?: (?: a b c) d e)"),
        ("!!a", "(!_ (!_ a))"),
        ("--a", "(-_ (-_ a))"),
        ("-a.b", "(-_ (.b a))"),
        ("!a.b()", "(!_ (.b a))"),
        ("a - -1", "(_-_ a -1)"),
        ("a -1", "(_-_ a 1)"),
        ("-1.x", "(.x -1)"),
        ("--1", "(-_ -1)"),
        ("-(1)", "(-_ 1)"),
    ])
    func `operators bind as the language says`(source: String, expected: String) {
        #expect(tree(source) == expected)
    }

    @Test(arguments: [
        ("a.b.c", "(.c (.b a))"),
        ("a.b(c, d).e", "(.e (.b a c d))"),
        ("a[b][c.d]", "([] ([] a b) (.d c))"),
        ("a.?b[?c]", "([?] (.?b a) c)"),
        (".a.b", "(.b .a)"),
        (".f(x)", "(.f x)"),
        ("f()", "(f)"),
        ("a.`b-c`.`d e/f.g`", "(.d e/f.g (.b-c a))"),
        ("a.for.package", "(.package (.for a))"),
        ("a.import()", "(.import a)"),
        ("[]", "[]"),
        ("[a, ?b, c,]", "[a ?b c]"),
        ("{}", "{}"),
        ("{a: 1, ?'b': c ? d : e,}", "{a:1 ?'b':(?: c d e)}"),
        ("a.b.C{}", "a.b.C{}"),
        (".a.C{f: 1, ?g: h, `i-j`: k,}.f", "(.f .a.C{f:1 ?g:h i-j:k})"),
        ("a // the rest\n + b", "(_+_ a b)"),
        ("a // the end", "a"),
        ("\t\r\n\u{0C}a ", "a"),
    ])
    func `members, calls and constructors`(source: String, expected: String) {
        #expect(tree(source) == expected)
    }

    @Test(arguments: [
        ("has(a.b)", "(has b a)"),
        ("has(a.b.`c-d`)", "(has c-d (.b a))"),
        ("has(a, b)", "(has a b)"),
        ("a.has(b)", "(.has a b)"),
        ("all(a, b)", "(all a b)"),
        ("l.all(x, p)", "(all x l) if p"),
        ("l.exists(x, p)", "(exists x l) if p"),
        ("l.exists_one(x, p)", "(existsOne x l) if p"),
        ("l.existsOne(x, p)", "(existsOne x l) if p"),
        ("l.filter(x, p)", "(filter x l) if p"),
        ("l.map(x, t)", "(map x l) to t"),
        ("l.map(x, p, t)", "(map x l) if p to t"),
        ("l.all(k, v, p)", "(all k,v l) if p"),
        ("l.exists(k, v, p)", "(exists k,v l) if p"),
        ("l.existsOne(k, v, p)", "(existsOne k,v l) if p"),
        ("l.exists_one(k, v, p)", "(existsOne k,v l) if p"),
        ("l.transformList(k, v, t)", "(transformList k,v l) to t"),
        ("l.transformList(k, v, p, t)", "(transformList k,v l) if p to t"),
        ("l.transformMap(k, v, t)", "(transformMap k,v l) to t"),
        ("l.transformMap(k, v, p, t)", "(transformMap k,v l) if p to t"),
        ("l.transformMapEntry(k, v, t)", "(transformMapEntry k,v l) to t"),
        ("l.transformMapEntry(k, v, p, t)", "(transformMapEntry k,v l) if p to t"),
        ("l.filter(x, y, p)", "(.filter l x y p)"),
        ("l.map(t)", "(.map l t)"),
        ("l.all(a, b, c, d)", "(.all l a b c d)"),
        ("cel.bind(x, v, x + x)", "(bind x v (_+_ x x))"),
        ("other.bind(x, v, b)", "(.bind other x v b)"),
        ("cel.bind(x, v)", "(.bind cel x v)"),
        (
            "o.optMap(x, x + 1)",
            """
            (bind @optional o (?: (.hasValue @optional) \
            (optional.of (bind x (.value @optional) (_+_ x 1))) (optional.none)))
            """
        ),
        (
            "o.optFlatMap(x, x.?y)",
            """
            (bind @optional o (?: (.hasValue @optional) (bind x (.value @optional) (.?y x)) (optional.none)))
            """
        ),
        ("o.optMap(x)", "(.optMap o x)"),
        ("l.all(x, l.exists(y, y == x))", "(all x l) if (exists y l) if (_==_ y x)"),
    ])
    func `macros become nodes`(source: String, expected: String) {
        #expect(tree(source) == expected)
    }

    @Test func `a node knows the text it came from`() throws {
        let source = "xs.filter(x, (x + 1) * 2 > 3)"
        guard case .iteration(let iteration) = try Parser.parse(source).kind,
            case .call(_, nil, let sides)? = iteration.predicate?.kind
        else {
            Issue.record("no filter with a comparison")
            return
        }
        let texts = [iteration.range, sides[0], sides[1]].map {
            String(decoding: Array(source.utf8)[$0.range], as: UTF8.self)
        }
        #expect(texts == ["xs", "(x + 1) * 2", "3"])
    }
}

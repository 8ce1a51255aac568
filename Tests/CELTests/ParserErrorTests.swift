import Testing

@testable import CEL

@Suite struct ParserErrorTests {
    /// `«` and `»` enclose what the error points at.
    @Test(
        arguments: [
            ("a «=» b", "'=' is no operator; use '==' to compare"),
            ("a «&» b", "'&' is no operator; use '&&'"),
            ("a «|» b", "'|' is no operator; use '||'"),
            ("a «and» b", "'and' is no operator; use '&&'"),
            ("a «or» b", "'or' is no operator; use '||'"),
            ("«not» a", "'not' is no operator; use '!'"),
            ("a «not in» b", "'not in' is no operator; write !(a in b)"),
            ("a == «'»abc", "this string has no closing quote"),
            ("a == «\"»abc\n\"", "this string has no closing quote"),
            ("«'»''abc'", "this string has no closing quote"),
            ("b == «b»'abc", "this string has no closing quote"),
            ("«'»\\", "this string has no closing quote"),
            ("a == «“»x y”", "a typographic quote; use a straight one, ' or \""),
            ("a == «‘»x", "a typographic quote; use a straight one, ' or \""),
            ("a + «»", "the expression ends here, but an expression should follow"),
            ("«»", "the expression ends here, but an expression should follow"),
            ("a ? b «»", "the expression ends here, but ':' should follow"),
            ("a.«»", "the expression ends here, but a field name should follow"),
            ("f«(»a, b", "this bracket is never closed; a ')' is missing"),
            ("f(a, «[»b, c", "this bracket is never closed; a ']' is missing"),
            ("«{»a: b", "this bracket is never closed; a '}' is missing"),
            ("(a«]»", "expected ')', found ']'"),
            ("a «b»", "expected an operator or the end, found 'b'"),
            ("a «'b'»", "expected an operator or the end, found a string"),
            ("a«)»", "expected an operator or the end, found ')'"),
            ("f(a,«)»", nil),
            ("[«,»]", "expected an expression, found ','"),
            ("a ? b «?» c : d : e", "expected ':', found '?'"),
            ("«in» a", "expected an expression, found 'in'"),
            ("«for» == 1", "'for' is a reserved word and cannot be a name"),
            (".«if»", "'if' is a reserved word and cannot be a name"),
            ("a.«in»", "'in' is a keyword; as a field name it needs backquotes"),
            ("a«.1»", nil),
            ("a.`b`«(»c)", "expected an operator or the end, found '('"),
            ("a.?b«(»c)", "expected an operator or the end, found '('"),
            ("a.«`b$`»", "a name between backquotes is made of letters, digits, '_', '.', '-', '/' and blanks"),
            ("a.«``»", "a name between backquotes is made of letters, digits, '_', '.', '-', '/' and blanks"),
            (
                "«9223372036854775808»",
                "this number is too large; an int is -9223372036854775808 to 9223372036854775807"
            ),
            (
                "«-9223372036854775809»",
                "this number is too large; an int is -9223372036854775808 to 9223372036854775807"
            ),
            (
                "«99999999999999999999»",
                "this number is too large; an int is -9223372036854775808 to 9223372036854775807"
            ),
            ("«18446744073709551616u»", "this number is too large; a uint is 0 to 18446744073709551615"),
            ("«1e999»", "this number is too large for a double"),
            ("«1a»", "'1a' is neither a number nor a name"),
            ("«0x»", "'0x' is neither a number nor a name"),
            ("«1.5u»", "'1.5u' is neither a number nor a name"),
            (#"'a«\q»'"#, #"'\q' is no escape; write '\\' for a backslash, or put r before the quote"#),
            (#"'«\4»00'"#, nil),
            (#"'«\x1»g'"#, nil),
            (#"'«\ud800»'"#, #"'\ud800' is not a Unicode character"#),
            (#"'«\U00110000»'"#, #"'\U00110000' is not a Unicode character"#),
            (#"b'«\u»0041'"#, #"'\u' cannot be used in bytes; write its bytes as \xHH"#),
            ("a «;» b", "';' means nothing here; text belongs in quotes"),
            ("«é»", "'é' means nothing here; text belongs in quotes"),
            ("a «\u{0}»", "'\\0' means nothing here; text belongs in quotes"),
            ("has(«a»)", "has() asks whether a field is there, as in has(a.b); this is not a field"),
            ("has(«a[b]»)", "has() asks whether a field is there, as in has(a.b); this is not a field"),
            ("has(«a.?b»)", "has() asks whether a field is there, as in has(a.b); this is not a field"),
            ("l.all(«a.b», c)", "all() names a variable here, which must be a simple name such as x"),
            ("l.map(«'x'», c)", "map() names a variable here, which must be a simple name such as x"),
            ("l.exists(k, «1», c)", "exists() names a variable here, which must be a simple name such as x"),
            ("l.all(k, «k», c)", "the two variables must differ; 'k' is already the first"),
            ("cel.bind(«1», a, b)", "cel.bind() names a variable here, which must be a simple name such as x"),
            ("a.optMap(«.x», b)", "optMap() names a variable here, which must be a simple name such as x"),
        ] as [(String, String?)])
    func `an error points at its cause`(marked: String, message: String?) throws {
        let parts = marked.split(separator: "«", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts[1].split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
        let start = parts[0].utf8.count
        let found = errors([parts[0], rest[0], rest[1]].joined())
        let first = try #require(found.first)
        #expect(first.range == start..<start + rest[0].utf8.count)
        if let message {
            #expect(first.message == message)
            #expect(found.count == 1)
        }
    }

    @Test func `all mistakes in words are reported at once, in order`() {
        let found = errors("for = 1 and l.all(1, x) & '\\q' | 2x")
        #expect(found.map(\.range.lowerBound) == [0, 4, 8, 18, 24, 27, 31, 33])
    }

    @Test(arguments: [("a = b", "=="), ("a and b", "&&"), ("not a", "!"), ("a.in", "`in`")])
    func `a mistake with one remedy names it`(source: String, suggestion: String) {
        #expect(errors(source).map(\.suggestion) == [suggestion])
    }

    @Test func `no more errors than asked for`() {
        #expect(errors(String(repeating: "a = ", count: 1000)).count == 20)
    }
}

import Testing

@testable import CEL

@Suite struct StringLibraryTests {
    static let results: [(String, [Value], Value)] = [
        ("charAt", ["©αT", 1], "α"),
        ("charAt", ["tacocat", 7], ""),
        ("indexOf", ["tacocat", ""], 0),
        ("indexOf", ["ta©o©αT", "©", 3], 4),
        ("indexOf", ["ta©o©αT", "©α", 5], -1),
        ("indexOf", ["tacocat", "", 3], 3),
        ("indexOf", ["tacocat", "", 7], 7),
        ("lastIndexOf", ["", "@@"], -1),
        ("lastIndexOf", ["", ""], 0),
        ("lastIndexOf", ["tacocat", ""], 7),
        ("lastIndexOf", ["tacocat", "", 3], 3),
        ("lastIndexOf", ["ta©o©αT", "©", 3], 2),
        ("lastIndexOf", ["ta©o©αT", "©α", 4], 4),
        ("lastIndexOf", ["hello wello", "ello", 6], 1),
        ("lastIndexOf", ["bananananana", "nana", 7], 6),
        ("lastIndexOf", ["bananananana", "nana"], 8),
        ("lastIndexOf", ["aab", "aaab"], -1),
        ("substring", ["tacocat", 4], "cat"),
        ("substring", ["ta©o©αT", 2, 6], "©o©α"),
        ("substring", ["ta©o©αT", 7, 7], ""),
        ("substring", ["e\u{301}", 1], "\u{301}"),
        ("split", ["hello world", " "], list("hello", "world")),
        ("split", ["a b c", " ", 0], .list([])),
        ("split", ["a b c", " ", 1], list("a b c")),
        ("split", ["a b c", " ", 2], list("a", "b c")),
        ("split", ["o©o©o", "©", -1], list("o", "o", "o")),
        ("split", ["", ","], list("")),
        ("split", [",a,", ","], list("", "a", "")),
        ("split", ["a©c", ""], list("a", "©", "c")),
        ("split", ["a©c", "", 2], list("a", "©c")),
        ("split", ["", ""], .list([])),
        ("join", [list("x", "y")], "xy"),
        ("join", [list("x", "y"), "-"], "x-y"),
        ("join", [.list([]), "-"], ""),
        ("replace", ["{0} days {0} hours", "{0}", "2"], "2 days 2 hours"),
        ("replace", ["{0} days {0} hours", "{0}", "2", 1], "2 days {0} hours"),
        ("replace", ["{0} days", "{0}", "2", 0], "{0} days"),
        ("replace", ["aaa", "aa", "b"], "ba"),
        ("replace", ["ab", "", "-"], "-a-b-"),
        ("replace", ["ab", "", "-", 1], "-ab"),
        ("replace", ["ab", "", "-", 2], "-a-b"),
        ("replace", ["", "", "-"], "-"),
        ("replace", ["é", "e", "x"], "é"),
        ("trim", [" \u{c}\n\r\t\u{b}text\u{2028}\u{3000}"], "text"),
        ("trim", ["\u{180e}text\u{feff}"], "\u{180e}text\u{feff}"),
        ("trim", [" \n"], ""),
        ("lowerAscii", ["TacoCÆt"], "tacocÆt"),
        ("upperAscii", ["tacoCαt"], "TACOCαT"),
        ("reverse", ["Ta©oCαt"], "tαCo©aT"),
        ("strings.quote", ["a\n\u{7}\u{8}\u{c}\r\t\u{b}\\\"'ÿ"], #""a\n\a\b\f\r\t\v\\\"'ÿ""#),
    ]

    @Test(arguments: results)
    func `a string function counts code points`(name: String, arguments: [Value], expected: Value) {
        let result = call(name, arguments, in: StringLibrary.functions)
        #expect(isIdentical(result, expected), "\(name) gave \(result.text)")
    }

    static let failures: [(String, [Value], EvaluationError.Code)] = [
        ("charAt", ["tacocat", 30], .indexOutOfRange),
        ("charAt", ["tacocat", -1], .indexOutOfRange),
        ("charAt", ["tacocat", true], .noSuchOverload),
        ("indexOf", ["tacocat", "a", 30], .indexOutOfRange),
        ("lastIndexOf", ["tacocat", "a", -1], .indexOutOfRange),
        ("substring", ["tacocat", 1, 50], .indexOutOfRange),
        ("substring", ["tacocat", 4, 3], .invalidArgument),
        ("join", [list("a", 1)], .noSuchOverload),
        ("replace", ["42", "2", "1", "1"], .noSuchOverload),
        (
            "replace",
            [.string(String(repeating: "a", count: 10_000)), "a", .string(String(repeating: "b", count: 2_000))],
            .budgetExceeded
        ),
        (
            "join", [.list(Array(repeating: .string(String(repeating: "a", count: 10_000)), count: 2_000))],
            .budgetExceeded
        ),
        ("split", [.string(String(repeating: "a", count: 1_000_001)), ""], .budgetExceeded),
        ("strings.quote", [.string(String(repeating: "\n", count: 6_000_000))], .budgetExceeded),
    ]

    @Test(arguments: failures)
    func `a position outside or a result too large is an error`(
        name: String, arguments: [Value], expected: EvaluationError.Code
    ) {
        #expect(call(name, arguments, in: StringLibrary.functions).errorCode == expected)
    }

    static let formats: [(String, [Value], String)] = [
        ("no substitution", [], "no substitution"),
        ("%% and %s%%", ["text"], "% and text%"),
        ("%d %d %d, %s %s", [1, -2, .uint(3), "A", "B"], "1 -2 3, A B"),
        ("%.3f", [1.2345], "1.234"),
        ("%.0f %.0f", [1.5, 2.5], "2 2"),
        ("%f", [2], "2.000000"),
        ("%.6e", [1052.032911275], "1.052033e+03"),
        ("%e", [.uint(3)], "3.000000e+00"),
        (
            "%e %f %d %s", [.double(.nan), .double(.infinity), .double(-.infinity), .double(.nan)],
            "NaN Infinity -Infinity NaN"
        ),
        ("%b %b %b", [5, true, -5], "101 1 -101"),
        ("%o", [.uint(65_535)], "177777"),
        ("%x %X", [30, .uint(6_000)], "1e 1770"),
        ("%x %X", ["Hello", .bytes([0xb, 0xff])], "48656c6c6f 0BFF"),
        ("%s", [list("abc", 3.14, .null, list(9, 8))], "[abc, 3.14, null, [9, 8]]"),
        ("%s", [map(("strKey", "x"), (6, span("422s")), (true, 42))], "{6: 422s, strKey: x, true: 42}"),
        ("%s %s", [time("2023-02-03T23:31:20+00:00"), span("1h45m47s")], "2023-02-03T23:31:20Z 6347s"),
        ("%s", [.type(.string)], "string"),
    ]

    @Test(arguments: formats)
    func `format fills clauses`(text: String, values: [Value], expected: String) {
        #expect(call("format", [.string(text), .list(values)], in: StringLibrary.functions).text == expected)
    }

    @Test(
        arguments: [
            ("%a", [1]), ("%E", [0.5]), ("%d %d", [0]), ("%b", ["abc"]), ("%d", [span("30m")]), ("%d", [1.5]),
            ("%o", ["a"]), ("%x", [0.5]), ("%f", [.null]), ("%", [1]), ("%.", [1]), ("%.f", [1.0]), ("%.101f", [1.0]),
            ("%.99999999999999999999f", [1.0]),
        ] as [(String, [Value])])
    func `format refuses what a clause does not take`(text: String, values: [Value]) {
        let result = call("format", [.string(text), .list(values)], in: StringLibrary.functions)
        #expect(result.errorCode == .invalidArgument)
    }

    @Test func `the longest number is printed whole`() {
        let values = Value.list([.double(-.greatestFiniteMagnitude)])
        let text = call("format", ["%.100f", values], in: StringLibrary.functions).text
        #expect(text.utf8.count == 1 + 309 + 1 + 100)
        #expect(Double(text) == -.greatestFiniteMagnitude)
    }

    @Test func `searching repetitive text takes linear time`() {
        let text = Value.string(String(repeating: "a", count: 400_000))
        let part = Value.string(String(repeating: "a", count: 200_000) + "b")
        for name in ["indexOf", "lastIndexOf", "split"] {
            let result = call(name, [text, part], in: StringLibrary.functions)
            #expect(result.errorCode == nil)
        }
        let own = Value.string(String(repeating: "a", count: 200_000))
        #expect(call("lastIndexOf", [text, own], in: StringLibrary.functions).text == "200000")
    }
}

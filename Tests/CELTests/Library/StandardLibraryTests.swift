import Testing

@testable import CEL

@Suite struct StandardLibraryTests {
    static let operators: [(String, [Value], Value)] = [
        ("_+_", [40, 2], 42),
        ("_+_", [.uint(1), .uint(2)], .uint(3)),
        ("_+_", [1.5, 2.5], 4.0),
        ("_+_", ["a", "ÿ"], "aÿ"),
        ("_+_", [.bytes([1]), .bytes([2])], .bytes([1, 2])),
        ("_+_", [list(1), list("a")], list(1, "a")),
        ("_+_", [time("2009-02-13T23:00:00Z"), span("240s")], time("2009-02-13T23:04:00Z")),
        ("_+_", [span("240s"), time("2009-02-13T23:00:00Z")], time("2009-02-13T23:04:00Z")),
        ("_-_", [time("2009-02-13T23:31:00Z"), time("2009-02-13T23:29:00Z")], span("120s")),
        ("_-_", [time("2009-02-13T23:10:00Z"), span("600s")], time("2009-02-13T23:00:00Z")),
        ("_-_", [span("1s"), span("1500ms")], span("-500ms")),
        ("_*_", [-30, -2], 60),
        ("_/_", [-20, 3], -6),
        ("_/_", [1.0, 0.0], .double(.infinity)),
        ("_%_", [-3, 5], -3),
        ("-_", [0.0], .double(-0.0)),
        ("!_", [true], false),
        ("_<_", ["\u{ff5e}", "\u{1f600}"], true),
        ("_<_", [1, 1.5], true),
        ("_<=_", [.double(.nan), 1.0], false),
        ("_>=_", [.double(.nan), 1.0], false),
        ("_!=_", [.double(.nan), .double(.nan)], true),
        ("_==_", [1, "1"], false),
        ("@in", [.uint(3), list(1, 2, 3.0)], true),
        ("@in", [3.1, map((3, 3))], false),
        ("@in", [3.0, map((3, 3))], true),
        ("_[_]", [list(7, 8), 1], 8),
        ("_[_]", [map((.uint(2), "two")), 2], "two"),
        ("size", ["πέντε"], 5),
        ("size", ["e\u{301}"], 2),
        ("size", [map((1, 1))], 1),
    ]

    @Test(arguments: operators)
    func `an operator gives a value of the right type`(name: String, arguments: [Value], expected: Value) {
        let result = call(name, arguments)
        #expect(isIdentical(result, expected), "\(name) gave \(result.text)")
    }

    static let failures: [(String, [Value], EvaluationError.Code)] = [
        ("_+_", [.int(.max), 1], .overflow),
        ("_-_", [.int(.min), 1], .overflow),
        ("_-_", [.uint(0), .uint(1)], .overflow),
        ("_*_", [5_000_000_000, 5_000_000_000], .overflow),
        ("_/_", [.int(.min), -1], .overflow),
        ("_%_", [.int(.min), -1], .overflow),
        ("-_", [.int(.min)], .overflow),
        ("_/_", [15, 0], .divisionByZero),
        ("_%_", [.uint(15), .uint(0)], .divisionByZero),
        ("_%_", [47.5, 5.5], .noSuchOverload),
        ("-_", [.uint(5)], .noSuchOverload),
        ("_+_", [1, .uint(1)], .noSuchOverload),
        ("_+_", [time("9999-12-31T23:59:59Z"), span("1s")], .overflow),
        ("_-_", [time("0001-01-01T00:00:00Z"), span("1ns")], .overflow),
        ("_<_", [1, "a"], .noSuchOverload),
        ("_[_]", [list(1), 1], .indexOutOfRange),
        ("_[_]", [list(1), -1], .indexOutOfRange),
        ("_[_]", [list(1), 0.1], .invalidArgument),
        ("_[_]", [list(1), ""], .invalidArgument),
        ("_[_]", [map((1, 1)), .bytes([])], .noSuchKey),
        ("matches", ["", "("], .invalidArgument),
        ("matches", ["", "((a{1000}){1000}){1000}"], .invalidArgument),
        ("int", [.uint(.max)], .overflow),
        ("int", [.double(9_223_372_036_854_775_808)], .overflow),
        ("int", [.double(-9_223_372_036_854_775_808)], .overflow),
        ("int", [.double(.nan)], .overflow),
        ("int", ["1.5"], .invalidArgument),
        ("int", ["９"], .invalidArgument),
        ("uint", [-1], .overflow),
        ("uint", [-0.5], .overflow),
        ("double", ["0x1p3"], .invalidArgument),
        ("double", ["1e999"], .invalidArgument),
        ("double", [""], .invalidArgument),
        ("bool", ["TrUe"], .invalidArgument),
        ("string", [.bytes([0, 0xff])], .invalidArgument),
        ("timestamp", [253_402_300_800], .overflow),
        ("duration", ["320000000000s"], .overflow),
        ("getHours", [time("2009-02-13T23:31:30Z"), "Atlantis/Capital"], .invalidArgument),
        ("getHours", [time("2009-02-13T23:31:30Z"), "+24:00"], .invalidArgument),
    ]

    @Test(arguments: failures)
    func `what has no value is an error that says which`(
        name: String, arguments: [Value], expected: EvaluationError.Code
    ) {
        #expect(call(name, arguments).errorCode == expected)
    }

    static let functions: [(String, [Value], Value)] = [
        ("contains", ["abababc", "ababc"], true),
        ("contains", ["", ""], true),
        ("contains", ["", "x"], false),
        ("contains", ["e\u{301}", "\u{e9}"], false),
        ("startsWith", ["e\u{301}", "e"], true),
        ("endsWith", ["forté", "té"], true),
        ("endsWith", ["é", "té"], false),
        ("matches", ["🐱😀😀", "(a|😀){2}"], true),
        ("matches", ["", ""], true),
        ("matches", ["", "foo|bar"], false),
        ("int", [-7.9], -7),
        ("int", [.double(36_028_797_018_963_968)], 36_028_797_018_963_968),
        ("int", [time("2004-09-16T23:59:59Z")], 1_095_379_199),
        ("uint", ["300"], .uint(300)),
        ("uint", [.double(36_028_797_018_963_968)], .uint(36_028_797_018_963_968)),
        ("double", ["-84.32e7"], -843_200_000.0),
        ("double", ["-Infinity"], .double(-.infinity)),
        ("double", [.uint(.max)], 18_446_744_073_709_551_616.0),
        ("string", [-0.0045], "-0.0045"),
        ("string", [.bytes([0xc3, 0xbf])], "ÿ"),
        ("bytes", ["ÿ"], .bytes([0xc3, 0xbf])),
        ("bool", ["t"], true),
        ("timestamp", [1_000_000_000], time("2001-09-09T01:46:40Z")),
        ("string", [span("1000000s")], "1000000s"),
        ("type", [list(1)], .type(.list(.dyn))),
        ("getDate", [time("2009-02-13T23:31:30Z")], 13),
        ("getDayOfMonth", [time("2009-02-13T23:31:30Z"), "US/Central"], 12),
        ("getDayOfMonth", [time("2009-02-13T02:00:00Z"), "-02:30"], 11),
        ("getDayOfWeek", [time("2009-02-13T23:31:30Z")], 5),
        ("getDayOfWeek", [time("0001-01-01T00:00:00Z")], 1),
        ("getDayOfYear", [time("2009-02-13T23:31:30Z")], 43),
        ("getFullYear", [time("0001-01-01T00:00:00Z"), "-01:00"], 0),
        ("getHours", [time("2009-02-13T23:31:30Z"), "02:00"], 1),
        ("getHours", [time("2009-07-13T12:00:00Z"), "Europe/Berlin"], 14),
        ("getHours", [time("2009-12-13T12:00:00Z"), "Europe/Berlin"], 13),
        ("getMinutes", [time("2009-02-13T23:31:30Z"), "Asia/Kathmandu"], 16),
        ("getMonth", [time("2009-02-13T23:31:30Z")], 1),
        ("getSeconds", [time("1969-12-31T23:59:58.5Z")], 58),
        ("getMilliseconds", [time("2009-02-13T23:31:20.123456789Z")], 123),
        ("getMilliseconds", [span("123.321456789s")], 321),
        ("getHours", [span("10000s")], 2),
        ("getMinutes", [span("3730s")], 62),
        ("getSeconds", [span("-3730.5s")], -3730),
    ]

    @Test(arguments: functions)
    func `a function gives a value of the right type`(name: String, arguments: [Value], expected: Value) {
        let result = call(name, arguments)
        #expect(isIdentical(result, expected), "\(name) gave \(result.text)")
    }

    @Test(arguments: ["abcdefgh", .bytes([1, 2, 3, 4]), list(1)] as [Value])
    func `what doubles for ever ends in an error`(start: Value) {
        var value = start
        for _ in 0..<30 where value.errorCode == nil { value = call("_+_", [value, value]) }
        #expect(value.errorCode == .budgetExceeded)
    }

    @Test func `values that share their parts many times over are not compared for ever`() {
        var a = list(1)
        var b = list(1)
        for _ in 0..<60 { (a, b) = (list(a, a), list(b, b)) }
        #expect(call("_==_", [a, b]).errorCode == .budgetExceeded)
        #expect(call("@in", [a, list(b)]).errorCode == .budgetExceeded)
    }

    @Test func `a pattern that makes others backtrack for ever is answered`() throws {
        let pattern = try RegularExpression("^(a+)+$")
        #expect(!pattern.matches(String(repeating: "a", count: 100_000) + "b"))
    }

    @Test func `every function says what it does and no name is given twice`() {
        let functions = StandardLibrary.functions
        #expect(functions.allSatisfy { !$0.documentation.isEmpty && !$0.overloads.isEmpty })
        #expect(Set(functions.map(\.name)).count == functions.count)
    }
}

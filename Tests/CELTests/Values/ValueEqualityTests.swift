import Testing

@testable import CEL

private let session = ObjectType("session", [.init("id", .int)])

@Suite struct ValueEqualityTests {
    static let equal: [(Value, Value)] = [
        (.null, .null),
        (.int(1), .uint(1)),
        (.int(1), .double(1)),
        (.uint(.max), .uint(.max)),
        (.double(0), .double(-0.0)),
        (.double(9_007_199_254_740_992), .int(9_007_199_254_740_992)),
        (.string("é"), .string("\u{e9}")),
        (.bytes([1, 2]), .bytes([1, 2])),
        (.list([.int(1), .string("a")]), .list([.double(1), .string("a")])),
        (map((.int(1), .int(2)), (.string("a"), .null)), map((.string("a"), .null), (.uint(1), .double(2)))),
        (.timestamp(Timestamp(seconds: 5)), .timestamp(Timestamp(seconds: 5))),
        (.duration(.seconds(1)), .duration(.milliseconds(1_000))),
        (.type(.list(.int)), .type(.list(.dyn))),
        (.object(Object(session, [.int(1)])), .object(Object(session, [.uint(1)]))),
        (.optional(OptionalValue(.int(1))), .optional(OptionalValue(.int(1)))),
        (.optional(.none), .optional(.none)),
    ]

    @Test(arguments: equal)
    func `values that are equal are equal both ways`(a: Value, b: Value) {
        #expect(a.equals(b) && b.equals(a))
    }

    static let unequal: [(Value, Value)] = [
        (.null, .bool(false)),
        (.double(.nan), .double(.nan)),
        (.string("e\u{301}"), .string("\u{e9}")),
        (.string("a"), .bytes([0x61])),
        (.string("a"), .string("ab")),
        (.int(-1), .uint(.max)),
        // Converting either number to the type of the other would make these equal.
        (.int(.max), .double(9_223_372_036_854_775_808)),
        (.uint(.max), .double(18_446_744_073_709_551_616)),
        (.int(9_007_199_254_740_993), .double(9_007_199_254_740_992)),
        (.int(1), .double(1.5)),
        (.int(1), .double(.infinity)),
        (.list([.double(.nan)]), .list([.double(.nan)])),
        (.list([.int(1)]), .list([.int(1), .int(1)])),
        (map((.int(1), .int(2))), map((.int(1), .int(3)))),
        (map((.int(1), .int(2))), map((.int(3), .int(2)))),
        (.type(.int), .type(.uint)),
        (.object(Object(session, [.int(1)])), .object(Object(ObjectType("session", [.init("id", .int)]), [.int(1)]))),
        (.optional(.none), .optional(OptionalValue(.null))),
        (.int(1), .bool(true)),
        (.error(EvaluationError(.overflow, "")), .error(EvaluationError(.overflow, ""))),
    ]

    @Test(arguments: unequal)
    func `values that differ are unequal both ways`(a: Value, b: Value) {
        #expect(!a.equals(b) && !b.equals(a))
    }

    static let ascending: [(Value, Value)] = [
        (.bool(false), .bool(true)),
        (.int(-1), .uint(0)),
        (.int(1), .double(1.5)),
        (.double(-1.5), .int(-1)),
        (.double(-.infinity), .int(.min)),
        (.uint(.max), .double(.infinity)),
        (.int(.max), .double(9_223_372_036_854_775_808)),
        (.string("a"), .string("ab")),
        // UTF-16 would order these the other way.
        (.string("\u{ff5e}"), .string("\u{1f600}")),
        (.bytes([1]), .bytes([1, 0])),
        (.timestamp(Timestamp(seconds: 1)), .timestamp(Timestamp(seconds: 1, nanoseconds: 1))),
        (.duration(.seconds(-1)), .duration(.zero)),
    ]

    @Test(arguments: ascending)
    func `ordered values are ordered both ways`(a: Value, b: Value) {
        #expect(a.compare(b) == .less)
        #expect(b.compare(a) == .greater)
        #expect(a.compare(a) == .equal)
    }

    @Test(arguments: [
        (Value.double(.nan), Value.int(1)), (.double(.nan), .double(.nan)), (.int(1), .string("1")), (.null, .null),
        (.list([]), .list([])),
    ])
    func `values without an order have none`(a: Value, b: Value) {
        #expect(a.compare(b) == nil)
    }
}

@Suite struct MapValueTests {
    @Test(arguments: [0, 8, 9, 1_000])
    func `a number finds its entry whatever its type`(others: Int) throws {
        let entries = (0..<others).map { (key: Value.string("k\($0)"), value: Value.null) }
        let map = MapValue(entries + [(.int(1), .string("one")), (.uint(.max), .string("most"))])
        for key in [Value.int(1), .uint(1), .double(1)] {
            #expect(map[key]?.text == "one")
        }
        #expect(map[.uint(.max)]?.text == "most")
        #expect(map[.double(1.5)] == nil)
        #expect(map[.bool(true)] == nil)
        #expect(map[.double(.nan)] == nil)
    }

    @Test(arguments: [0, 100])
    func `keys are told apart by code point`(others: Int) throws {
        let entries = (0..<others).map { (key: Value.int(Int64($0)), value: Value.null) }
        let map = try MapValue(validating: entries + [(.string("\u{e9}"), .int(1)), (.string("e\u{301}"), .int(2))])
        #expect(map[.string("\u{e9}")]?.text == "1")
        #expect(map[.string("e\u{301}")]?.text == "2")
    }

    @Test(arguments: [
        [(Value.int(0), Value.null), (.uint(0), .null)],
        [(.bool(true), .null), (.bool(true), .null)],
        [(.double(1), .null)],
        [(.null, .null)],
    ])
    func `a literal with equal or unfit keys is refused`(entries: [(Value, Value)]) {
        #expect(throws: EvaluationError.self) {
            try MapValue(validating: entries.map { (key: $0.0, value: $0.1) })
        }
    }
}

func map(_ entries: (key: Value, value: Value)...) -> Value {
    .map(MapValue(entries))
}

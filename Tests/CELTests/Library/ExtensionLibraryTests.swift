import Testing

@testable import CEL

private let functions = MathLibrary.functions + OptionalLibrary.functions + EncodersLibrary.functions

private func some(_ value: Value) -> Value { .optional(OptionalValue(value)) }

@Suite struct ExtensionLibraryTests {
    static let results: [(String, [Value], Value)] = [
        ("math.greatest", [-5], -5),
        ("math.greatest", [1, 1.0], 1),
        ("math.greatest", [1.0, .uint(1)], 1.0),
        ("math.greatest", [5.4, 10, .uint(3), -5.0, .int(.max)], .int(.max)),
        ("math.greatest", [list(5.4, 10, .uint(3), -5.0)], 10),
        ("math.least", [.uint(5), -7], -7),
        ("math.least", [5.4, 10, .uint(3), .uint(1), .uint(.max)], .uint(1)),
        ("math.least", [list(2.5, 3)], 2.5),
        ("math.ceil", [-1.2], -1.0),
        ("math.floor", [-1.2], -2.0),
        ("math.round", [-1.5], -2.0),
        ("math.round", [2.5], 3.0),
        ("math.trunc", [-1.2], -1.0),
        ("math.sqrt", [81], 9.0),
        ("math.abs", [-11], 11),
        ("math.abs", [-11.5], 11.5),
        ("math.sign", [.uint(100)], .uint(1)),
        ("math.sign", [-11], -1),
        ("math.sign", [-32.0], -1.0),
        ("math.isNaN", [.double(.nan)], true),
        ("math.isInf", [.double(-.infinity)], true),
        ("math.isFinite", [.double(.nan)], false),
        ("math.bitAnd", [1, -1], 1),
        ("math.bitOr", [4, -2], -2),
        ("math.bitXor", [.uint(1), .uint(3)], .uint(2)),
        ("math.bitNot", [.uint(1)], .uint(18_446_744_073_709_551_614)),
        ("math.bitShiftLeft", [1, 2], 4),
        ("math.bitShiftLeft", [-1, 200], 0),
        ("math.bitShiftLeft", [.uint(1), .int(.max)], .uint(0)),
        ("math.bitShiftRight", [-1024, 3], 2_305_843_009_213_693_824),
        ("math.bitShiftRight", [-1024, 64], 0),
        ("optional.of", [.null], some(.null)),
        ("optional.none", [], .optional(.none)),
        ("optional.ofNonZeroValue", [""], .optional(.none)),
        ("optional.ofNonZeroValue", [map()], .optional(.none)),
        ("optional.ofNonZeroValue", [42], some(42)),
        ("hasValue", [some(.null)], true),
        ("hasValue", [.optional(.none)], false),
        ("value", [some(1)], 1),
        ("or", [.optional(.none), some(2)], some(2)),
        ("or", [some(1), some(2)], some(1)),
        ("orValue", [.optional(.none), 42], 42),
        ("optional.unwrap", [list(some(1), .optional(.none), some(2))], list(1, 2)),
        ("unwrapOpt", [list(some(1))], list(1)),
        ("first", [list(1, 2)], some(1)),
        ("last", [list(1, 2)], some(2)),
        ("last", [.list([])], .optional(.none)),
        ("base64.encode", [.bytes(Array("hello".utf8))], "aGVsbG8="),
        ("base64.encode", [.bytes([])], ""),
        ("base64.decode", ["aGVsbG8"], .bytes(Array("hello".utf8))),
        ("base64.decode", ["aGVsbG8h"], .bytes(Array("hello!".utf8))),
        ("base64.decode", ["+/8="], .bytes([0xfb, 0xff])),
    ]

    @Test(arguments: results)
    func `a function of an extension gives a value of the right type`(
        name: String, arguments: [Value], expected: Value
    ) {
        let result = call(name, arguments, in: functions)
        #expect(isIdentical(result, expected), "\(name) gave \(result.text)")
    }

    static let failures: [(String, [Value], EvaluationError.Code)] = [
        ("math.greatest", [.list([])], .invalidArgument),
        ("math.greatest", [1, "a", 2], .noSuchOverload),
        ("math.ceil", [1], .noSuchOverload),
        ("math.abs", [.int(.min)], .overflow),
        ("math.bitAnd", [.uint(2), ""], .noSuchOverload),
        ("math.bitShiftLeft", [.uint(1), -1], .invalidArgument),
        ("math.bitShiftRight", [1, .int(.min)], .invalidArgument),
        ("value", [.optional(.none)], .invalidArgument),
        ("hasValue", [1], .noSuchOverload),
        ("unwrapOpt", [list(1)], .noSuchOverload),
        ("base64.decode", ["a"], .invalidArgument),
        ("base64.decode", ["aG!s"], .invalidArgument),
        ("base64.decode", ["aGVsbG8=="], .invalidArgument),
        ("base64.decode", ["aGVsbG9="], .invalidArgument),
    ]

    @Test(arguments: failures)
    func `what has no value is an error`(name: String, arguments: [Value], expected: EvaluationError.Code) {
        #expect(call(name, arguments, in: functions).errorCode == expected)
    }

    @Test func `base64 reads back what it wrote`() {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 250) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test func `no extension lacks documentation or takes a name of another`() {
        let all = StandardLibrary.functions + StringLibrary.functions + functions
        #expect(all.allSatisfy { !$0.documentation.isEmpty && !$0.overloads.isEmpty })
        #expect(Set(all.map(\.name)).count == all.count)
    }
}

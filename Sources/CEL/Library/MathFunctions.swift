// The `math` extension.
extension Library {
    static let mathematics: [Function] = [
        Function(
            "math.greatest", summary: "The greatest of some numbers, or of a list of them",
            extremes { $0 == .greater }),
        Function("math.least", summary: "The least of some numbers, or of a list of them", extremes { $0 == .less }),
        rounding("math.ceil", "The next whole number that is not less") { $0.rounded(.up) },
        rounding("math.floor", "The next whole number that is not greater") { $0.rounded(.down) },
        rounding("math.round", "The nearest whole number, halves away from zero") {
            $0.rounded(.toNearestOrAwayFromZero)
        },
        rounding("math.trunc", "The number without its fraction") { $0.rounded(.towardZero) },
        Function(
            "math.sqrt", summary: "The square root",
            [.double, .int, .uint].map {
                .unary($0, returns: .double) { value, _ throws(EvaluationError) in
                    .double(try value.asDouble.squareRoot())
                }
            }),
        Function(
            "math.abs", summary: "The number without its sign",
            [.int, .uint, .double].map { .unary($0, returns: $0, absolute) }),
        Function(
            "math.sign", summary: "-1, 0 or 1", [.int, .uint, .double].map { .unary($0, returns: $0, sign) }),
        test("math.isNaN", "Whether it is not a number") { $0.isNaN },
        test("math.isInf", "Whether it is infinite") { $0.isInfinite },
        test("math.isFinite", "Whether it is neither infinite nor not a number") { $0.isFinite },
        bitwise("math.bitAnd", "The bits that both have", { $0 & $1 }, { $0 & $1 }),
        bitwise("math.bitOr", "The bits that one of them has", { $0 | $1 }, { $0 | $1 }),
        bitwise("math.bitXor", "The bits in which they differ", { $0 ^ $1 }, { $0 ^ $1 }),
        Function(
            "math.bitNot", summary: "The number with every bit turned",
            [.int, .uint].map {
                .unary($0, returns: $0) { value, _ throws(EvaluationError) in
                    if case .uint(let bits) = value { .uint(~bits) } else { .int(~(try value.int)) }
                }
            }),
        shift("math.bitShiftLeft", "The bits moved to the left") { $0 << $1 },
        shift("math.bitShiftRight", "The bits moved to the right, zeros following") { $0 >> $1 },
    ]

    private static func extremes(_ wins: @escaping @Sendable (Ordering) -> Bool) -> [Overload] {
        let choose: Overload.General = { numbers, _ throws(EvaluationError) in
            guard var best = numbers.first else {
                throw EvaluationError(.invalidArgument, "an empty list has no greatest or least number")
            }
            for number in numbers {
                guard number.runtimeType.isNumeric, let order = number.compare(best) else { throw number.wrongType }
                if wins(order) { best = number }
            }
            return best
        }
        return [Type.int, .uint, .double].flatMap { type in
            [
                Overload.unary(type, returns: type) { value, _ throws(EvaluationError) in value },
                Overload.binary(type, type, returns: type) { a, b, budget throws(EvaluationError) in
                    try choose([a, b], &budget)
                },
            ]
        }
            + [Type.int, .uint, .double, .dyn].map { type in
                Overload.unary(.list(type), returns: type) { list, budget throws(EvaluationError) in
                    let list = try list.list
                    try budget.charge(list.count)
                    return try choose(list, &budget)
                }
            } + [.variadic(.dyn, returns: .dyn, choose)]
    }

    private static func rounding(
        _ name: String, _ summary: String, _ round: @escaping @Sendable (Double) -> Double
    ) -> Function {
        Function(
            name, summary: summary,
            [.unary(.double, returns: .double) { value, _ throws(EvaluationError) in .double(round(try value.double)) }]
        )
    }

    private static func test(
        _ name: String, _ summary: String, _ holds: @escaping @Sendable (Double) -> Bool
    ) -> Function {
        Function(
            name, summary: summary,
            [.unary(.double, returns: .bool) { value, _ throws(EvaluationError) in .bool(holds(try value.double)) }])
    }

    private static func bitwise(
        _ name: String, _ summary: String, _ ints: @escaping @Sendable (Int64, Int64) -> Int64,
        _ uints: @escaping @Sendable (UInt64, UInt64) -> UInt64
    ) -> Function {
        Function(
            name, summary: summary,
            [
                .binary(.int, .int, returns: .int) { a, b, _ throws(EvaluationError) in
                    .int(ints(try a.int, try b.int))
                },
                .binary(.uint, .uint, returns: .uint) { a, b, _ throws(EvaluationError) in
                    .uint(uints(try a.uint, try b.uint))
                },
            ])
    }

    /// Shifts work on the bits of an int too, without regard to its sign; 64 places or more leave nothing.
    private static func shift(
        _ name: String, _ summary: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64
    ) -> Function {
        let places: @Sendable (Value) throws(EvaluationError) -> Int64 = { value throws(EvaluationError) in
            let places = try value.int
            guard places >= 0 else {
                throw EvaluationError(.invalidArgument, "bits cannot be moved by \(places) places")
            }
            return places
        }
        return Function(
            name, summary: summary,
            [
                .binary(.int, .int, returns: .int) { a, b, _ throws(EvaluationError) in
                    .int(Int64(bitPattern: shift(UInt64(bitPattern: try a.int), try places(b))))
                },
                .binary(.uint, .int, returns: .uint) { a, b, _ throws(EvaluationError) in
                    .uint(shift(try a.uint, try places(b)))
                },
            ])
    }

    @Sendable private static func absolute(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .int(.min): throw EvaluationError(.overflow, "the result does not fit an int")
        case .int(let number): .int(abs(number))
        case .double(let number): .double(abs(number))
        default: value
        }
    }

    @Sendable private static func sign(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .int(let number): .int(number.signum())
        case .uint(let number): .uint(number.signum())
        case .double(let number): .double(number.isNaN ? number : number > 0 ? 1 : number < 0 ? -1 : 0)
        default: throw value.wrongType
        }
    }
}

extension Value {
    fileprivate var uint: UInt64 {
        get throws(EvaluationError) {
            guard case .uint(let number) = self else { throw wrongType }
            return number
        }
    }

    fileprivate var asDouble: Double {
        get throws(EvaluationError) {
            switch self {
            case .double(let number): number
            case .int(let number): Double(number)
            case .uint(let number): Double(number)
            default: throw wrongType
            }
        }
    }
}

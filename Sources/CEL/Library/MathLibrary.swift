/// The `math` extension: extremes, rounding, bits.
package enum MathLibrary {
    package static let functions: [Function] = [
        Function(
            "math.greatest", extremes(better: .greater),
            documentation: "The greatest of its arguments, or of the numbers of a list."),
        Function(
            "math.least", extremes(better: .less),
            documentation: "The least of its arguments, or of the numbers of a list."),
        Function("math.ceil", [.global { (x: Double) in x.rounded(.up) }], documentation: "The next whole number up."),
        Function(
            "math.floor", [.global { (x: Double) in x.rounded(.down) }], documentation: "The next whole number down."),
        Function(
            "math.round", [.global { (x: Double) in x.rounded(.toNearestOrAwayFromZero) }],
            documentation: "The nearest whole number, a half rounded away from zero."),
        Function(
            "math.trunc", [.global { (x: Double) in x.rounded(.towardZero) }],
            documentation: "The number without its fraction."),
        Function(
            "math.sqrt",
            [
                .global { (x: Double) in x.squareRoot() },
                .global { (x: Int64) in Double(x).squareRoot() },
                .global { (x: UInt64) in Double(x).squareRoot() },
            ], documentation: "The square root; NaN of a negative number."),
        Function(
            "math.abs",
            [
                .global { (x: Int64) throws(EvaluationError) in try magnitude(x) },
                .global { (x: UInt64) in x },
                .global { (x: Double) in x.magnitude },
            ], documentation: "The number without its sign."),
        Function(
            "math.sign",
            [
                .global { (x: Int64) in x.signum() },
                .global { (x: UInt64) in x.signum() },
                .global { (x: Double) in x > 0 ? 1 : (x < 0 ? -1 : x) },
            ], documentation: "-1, 0 or 1, as the number is negative, zero or positive."),
        Function("math.isNaN", [.global { (x: Double) in x.isNaN }], documentation: "Whether it is not a number."),
        Function("math.isInf", [.global { (x: Double) in x.isInfinite }], documentation: "Whether it is infinite."),
        Function(
            "math.isFinite", [.global { (x: Double) in x.isFinite }],
            documentation: "Whether it is neither infinite nor NaN."),
        Function(
            "math.bitAnd", [.global { (a: Int64, b: Int64) in a & b }, .global { (a: UInt64, b: UInt64) in a & b }],
            documentation: "The bits that are set in both."),
        Function(
            "math.bitOr", [.global { (a: Int64, b: Int64) in a | b }, .global { (a: UInt64, b: UInt64) in a | b }],
            documentation: "The bits that are set in either."),
        Function(
            "math.bitXor", [.global { (a: Int64, b: Int64) in a ^ b }, .global { (a: UInt64, b: UInt64) in a ^ b }],
            documentation: "The bits that are set in one only."),
        Function(
            "math.bitNot", [.global { (x: Int64) in ~x }, .global { (x: UInt64) in ~x }],
            documentation: "The bits that are not set."),
        Function(
            "math.bitShiftLeft", shifts { $0 << $1 },
            documentation: "The bits moved so many places up; zeros come in below."),
        Function(
            "math.bitShiftRight", shifts { $0 >> $1 },
            documentation: "The bits moved so many places down; zeros come in above, also for an int."),
    ]

    private static func magnitude(_ number: Int64) throws(EvaluationError) -> Int64 {
        if let magnitude = Int64(exactly: number.magnitude) { return magnitude }
        throw EvaluationError(.overflow, "the result does not fit 64 bits")
    }

    /// On an int the bits move as those of a uint.
    private static func shifts(_ shift: @escaping @Sendable (UInt64, UInt64) -> UInt64) -> [Overload] {
        let checked = { @Sendable (bits: UInt64, places: Int64) throws(EvaluationError) -> UInt64 in
            guard let places = UInt64(exactly: places) else {
                throw EvaluationError(.invalidArgument, "bits cannot move by a negative number of places")
            }
            return shift(bits, places)
        }
        return [
            .global { (bits: Int64, places: Int64) throws(EvaluationError) in
                Int64(bitPattern: try checked(UInt64(bitPattern: bits), places))
            },
            .global { (bits: UInt64, places: Int64) throws(EvaluationError) in try checked(bits, places) },
        ]
    }
}

extension MathLibrary {
    /// Arguments that may stand beside each other outside a list.
    private static let mostArguments = 8

    private static func extremes(better: Ordering) -> [Overload] {
        let numbers: [Type] = [.int, .uint, .double]
        let mixedPairs = numbers.flatMap { a in numbers.filter { $0 != a }.map { b in [a, b] } }
        let several = (3...mostArguments).map { [Type](repeating: .dyn, count: $0) }
        let sameType = (1...mostArguments).flatMap { count in
            numbers.map { extreme([Type](repeating: $0, count: count), $0, better) }
        }
        return sameType + (mixedPairs + several).map { extreme($0, .dyn, better) }
            + (numbers + [.dyn]).map { extremeOfList($0, better) }
    }

    private static func extreme(_ parameters: [Type], _ result: Type, _ better: Ordering) -> Overload {
        .generic(parameters, returns: result) { best(of: $0, better) }
    }

    private static func extremeOfList(_ element: Type, _ better: Ordering) -> Overload {
        .generic([.list(element)], returns: element) { arguments in
            guard case .list(let elements) = arguments[0] else { return .noSuchOverload(arguments) }
            if elements.isEmpty { return .error(EvaluationError(.invalidArgument, "the list has no numbers")) }
            return best(of: elements, better)
        }
    }

    /// Of equal numbers the first.
    private static func best(of numbers: [Value], _ better: Ordering) -> Value {
        guard var best = numbers.first, numbers.allSatisfy(\.isNumber) else { return .noSuchOverload(numbers) }
        for number in numbers.dropFirst() where number.compare(best) == better { best = number }
        return best
    }
}

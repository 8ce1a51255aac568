/// `+ - * / %` and negation. Integers are checked for overflow, doubles follow IEEE 754 (langdef, "Numeric operators").
enum ArithmeticOperators {
    static let functions: [Function] = [
        Function(
            Operator.add, additions,
            documentation: "The sum of two numbers or durations, a later timestamp, or texts, bytes or lists joined."),
        Function(
            Operator.subtract,
            [
                .global { (a: Int64, b: Int64) throws(EvaluationError) in try checked(a.subtractingReportingOverflow(b))
                },
                .global { (a: UInt64, b: UInt64) throws(EvaluationError) in
                    try checked(a.subtractingReportingOverflow(b))
                },
                .global { (a: Double, b: Double) in a - b },
                .global { (a: Timestamp, b: Timestamp) throws(EvaluationError) in try a.subtracting(b) },
                .global { (a: Timestamp, b: Duration) throws(EvaluationError) in try a.adding(.zero - b.checked()) },
                .global { (a: Duration, b: Duration) throws(EvaluationError) in try a.subtracting(b) },
            ], documentation: "The difference of two numbers, timestamps or durations, or an earlier timestamp."),
        Function(
            Operator.multiply,
            [
                .global { (a: Int64, b: Int64) throws(EvaluationError) in
                    try checked(a.multipliedReportingOverflow(by: b))
                },
                .global { (a: UInt64, b: UInt64) throws(EvaluationError) in
                    try checked(a.multipliedReportingOverflow(by: b))
                },
                .global { (a: Double, b: Double) in a * b },
            ], documentation: "The product of two numbers."),
        Function(
            Operator.divide,
            [
                .global { (a: Int64, b: Int64) throws(EvaluationError) in try quotient(a, b) },
                .global { (a: UInt64, b: UInt64) throws(EvaluationError) in try quotient(a, b) },
                .global { (a: Double, b: Double) in a / b },
            ], documentation: "The quotient of two numbers; of integers without the fraction."),
        Function(
            Operator.modulo,
            [
                .global { (a: Int64, b: Int64) throws(EvaluationError) in try remainder(a, b) },
                .global { (a: UInt64, b: UInt64) throws(EvaluationError) in try remainder(a, b) },
            ], documentation: "The remainder of an integer division, with the sign of the dividend."),
        Function(
            Operator.negate,
            [
                .global { (a: Int64) throws(EvaluationError) in try checked(Int64(0).subtractingReportingOverflow(a)) },
                .global { (a: Double) in -a },
            ], documentation: "The number with the other sign."),
    ]

    private static let additions: [Overload] = [
        .global { (a: Int64, b: Int64) throws(EvaluationError) in try checked(a.addingReportingOverflow(b)) },
        .global { (a: UInt64, b: UInt64) throws(EvaluationError) in try checked(a.addingReportingOverflow(b)) },
        .global { (a: Double, b: Double) in a + b },
        .global { (a: String, b: String) throws(EvaluationError) in
            guard a.utf8.count + b.utf8.count <= Value.largestText else { throw .textTooLong }
            return a + b
        },
        .global { (a: [UInt8], b: [UInt8]) throws(EvaluationError) in
            guard a.count + b.count <= Value.largestText else { throw .textTooLong }
            return a + b
        },
        .generic([.list(.parameter("A")), .list(.parameter("A"))], returns: .list(.parameter("A"))) {
            joined($0[0], $0[1])
        },
        .global { (a: Timestamp, b: Duration) throws(EvaluationError) in try a.adding(b) },
        .global { (a: Duration, b: Timestamp) throws(EvaluationError) in try b.adding(a) },
        .global { (a: Duration, b: Duration) throws(EvaluationError) in try a.adding(b) },
    ]

    private static func joined(_ a: Value, _ b: Value) -> Value {
        guard case .list(let first) = a, case .list(let second) = b else { return .noSuchOverload([a, b]) }
        guard first.count + second.count <= Value.largestList else { return .error(.listTooLong) }
        return .list(first + second)
    }
}

private func checked<I>(_ result: (partialValue: I, overflow: Bool)) throws(EvaluationError) -> I {
    if result.overflow { throw EvaluationError(.overflow, "the result does not fit 64 bits") }
    return result.partialValue
}

private func quotient<I: FixedWidthInteger>(_ a: I, _ b: I) throws(EvaluationError) -> I {
    if b == 0 { throw EvaluationError(.divisionByZero, "division by zero") }
    return try checked(a.dividedReportingOverflow(by: b))
}

private func remainder<I: FixedWidthInteger>(_ a: I, _ b: I) throws(EvaluationError) -> I {
    if b == 0 { throw EvaluationError(.divisionByZero, "remainder of a division by zero") }
    return try checked(a.remainderReportingOverflow(dividingBy: b))
}

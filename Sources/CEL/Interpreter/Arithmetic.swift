/// The arithmetic of CEL: within one type, and an error where the result does not fit (langdef, "Overflow").
enum Arithmetic {
    static func negate(_ value: Value) throws(EvaluationError) -> Value {
        switch value {
        case .int(let number):
            guard number != .min else { throw overflow("-", .int) }
            return .int(-number)
        case .double(let number): return .double(-number)
        default: throw EvaluationError(.noSuchOverload, "'-' does not take \(value.typeName)")
        }
    }

    static func add(_ a: Value, _ b: Value, _ budget: inout Budget) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.int(let a), .int(let b)): return .int(try checked(a.addingReportingOverflow(b), "+"))
        case (.uint(let a), .uint(let b)): return .uint(try checked(a.addingReportingOverflow(b), "+"))
        case (.double(let a), .double(let b)): return .double(a + b)
        case (.string(let a), .string(let b)):
            try budget.charge(bytes: a.utf8.count + b.utf8.count)
            return .string(a + b)
        case (.bytes(let a), .bytes(let b)):
            try budget.charge(bytes: a.count + b.count)
            return .bytes(a + b)
        case (.list(let a), .list(let b)):
            if a.isEmpty { return .list(b) }
            if b.isEmpty { return .list(a) }
            try budget.charge(a.count + b.count)
            return .list(a + b)
        case (.timestamp(let time), .duration(let offset)), (.duration(let offset), .timestamp(let time)):
            return try moved(time, by: offset)
        case (.duration(let a), .duration(let b)): return .duration(try a.adding(b))
        default: throw mismatch("+", a, b)
        }
    }

    static func subtract(_ a: Value, _ b: Value, _ budget: inout Budget) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.int(let a), .int(let b)): return .int(try checked(a.subtractingReportingOverflow(b), "-"))
        case (.uint(let a), .uint(let b)): return .uint(try checked(a.subtractingReportingOverflow(b), "-"))
        case (.double(let a), .double(let b)): return .double(a - b)
        case (.timestamp(let a), .timestamp(let b)): return try valid(a - b)
        case (.timestamp(let time), .duration(let offset)): return try moved(time, by: .zero - offset)
        case (.duration(let a), .duration(let b)): return try valid(a - b)
        default: throw mismatch("-", a, b)
        }
    }

    static func multiply(_ a: Value, _ b: Value, _ budget: inout Budget) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.int(let a), .int(let b)): return .int(try checked(a.multipliedReportingOverflow(by: b), "*"))
        case (.uint(let a), .uint(let b)): return .uint(try checked(a.multipliedReportingOverflow(by: b), "*"))
        case (.double(let a), .double(let b)): return .double(a * b)
        default: throw mismatch("*", a, b)
        }
    }

    static func divide(_ a: Value, _ b: Value, _ budget: inout Budget) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.int(_), .int(0)), (.uint(_), .uint(0)): throw divisionByZero
        case (.int(let a), .int(let b)): return .int(try checked(a.dividedReportingOverflow(by: b), "/"))
        case (.uint(let a), .uint(let b)): return .uint(a / b)
        case (.double(let a), .double(let b)): return .double(a / b)
        default: throw mismatch("/", a, b)
        }
    }

    static func modulo(_ a: Value, _ b: Value, _ budget: inout Budget) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.int(_), .int(0)), (.uint(_), .uint(0)): throw divisionByZero
        case (.int(let a), .int(let b)): return .int(try checked(a.remainderReportingOverflow(dividingBy: b), "%"))
        case (.uint(let a), .uint(let b)): return .uint(a % b)
        default: throw mismatch("%", a, b)
        }
    }

    // MARK: Ranges

    private static func checked<Number: FixedWidthInteger>(
        _ result: (partialValue: Number, overflow: Bool), _ symbol: String
    ) throws(EvaluationError) -> Number {
        guard !result.overflow else { throw overflow(symbol, Number.isSigned ? .int : .uint) }
        return result.partialValue
    }

    private static func valid(_ duration: Duration) throws(EvaluationError) -> Value {
        guard duration.isInRange else {
            throw EvaluationError(.overflow, "the duration is longer than 292 years")
        }
        return .duration(duration)
    }

    private static func moved(_ time: Timestamp, by offset: Duration) throws(EvaluationError) -> Value {
        let moved = time + offset
        guard moved.isValid else {
            throw EvaluationError(.overflow, "the time is outside the years 1 to 9999")
        }
        return .timestamp(moved)
    }

    private static let divisionByZero = EvaluationError(.divisionByZero, "division by zero")

    private static func overflow(_ symbol: String, _ type: Type) -> EvaluationError {
        EvaluationError(.overflow, "the result of '\(symbol)' does not fit \(type == .int ? "an int" : "a uint")")
    }

    private static func mismatch(_ symbol: String, _ a: Value, _ b: Value) -> EvaluationError {
        EvaluationError(.noSuchOverload, "'\(symbol)' does not take \(a.typeName) and \(b.typeName)")
    }
}

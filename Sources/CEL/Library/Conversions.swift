/// Functions named like the type they convert to.
enum Conversions {
    static let functions: [Function] = [
        Function(
            "int",
            [
                .global { (number: Int64) in number },
                .global { (number: UInt64) throws(EvaluationError) in try whole(number, Int64.self) },
                .global { (number: Double) throws(EvaluationError) in try integer(number) },
                .global { (text: String) throws(EvaluationError) in try parsed(text, as: .int, Int64.init(_:)) },
                .global { (timestamp: Timestamp) in timestamp.seconds },
            ], documentation: "The number as an int, without its fraction; of a timestamp the seconds since 1970."),
        Function(
            "uint",
            [
                .global { (number: UInt64) in number },
                .global { (number: Int64) throws(EvaluationError) in try whole(number, UInt64.self) },
                .global { (number: Double) throws(EvaluationError) in try unsignedInteger(number) },
                .global { (text: String) throws(EvaluationError) in try parsed(text, as: .uint, UInt64.init(_:)) },
            ], documentation: "The number as a uint, without its fraction."),
        Function(
            "double",
            [
                .global { (number: Double) in number },
                .global { (number: Int64) in Double(number) },
                .global { (number: UInt64) in Double(number) },
                .global { (text: String) throws(EvaluationError) in try parsed(text, as: .double, double) },
            ], documentation: "The number as a double, rounded to the nearest."),
        Function(
            "string",
            [
                .global { (text: String) in text },
                .global { (bool: Bool) in bool.value.text },
                .global { (number: Int64) in number.value.text },
                .global { (number: UInt64) in number.value.text },
                .global { (number: Double) in number.value.text },
                .global { (bytes: [UInt8]) throws(EvaluationError) in try string(bytes) },
                .global { (timestamp: Timestamp) in timestamp.value.text },
                .global { (duration: Duration) in duration.value.text },
            ], documentation: "The value as text; bytes are read as UTF-8."),
        Function(
            "bytes", [.global { (bytes: [UInt8]) in bytes }, .global { (text: String) in Array(text.utf8) }],
            documentation: "The UTF-8 of a text."),
        Function(
            "bool",
            [
                .global { (bool: Bool) in bool },
                .global { (text: String) throws(EvaluationError) in try parsed(text, as: .bool, bool) },
            ], documentation: "The bool that a text names: 'true', 't', '1', 'false', 'f' or '0'."),
        Function(
            "timestamp",
            [
                .global { (timestamp: Timestamp) in timestamp },
                .global { (seconds: Int64) throws(EvaluationError) in try Timestamp(checking: seconds) },
                .global { (text: String) throws(EvaluationError) in try Timestamp(parsing: text) },
            ],
            documentation: "The timestamp that a text such as '2009-02-13T23:31:30Z' or seconds since 1970 stand for."),
        Function(
            "duration",
            [
                .global { (duration: Duration) in duration },
                .global { (text: String) throws(EvaluationError) in try Duration(parsing: text) },
            ], documentation: "The duration that a text such as '1h30m' or '-1.5s' stands for."),
        Function(
            "dyn", [.generic([.parameter("A")], returns: .dyn) { $0[0] }],
            documentation: "The value itself, exempt from type checks before evaluation."),
        Function(
            "type", [.generic([.parameter("A")], returns: .type(.parameter("A"))) { .type($0[0].runtimeType) }],
            documentation: "The type of the value."),
    ]
}

private func whole<I: FixedWidthInteger, J: FixedWidthInteger>(_ number: I, _: J.Type) throws(EvaluationError) -> J {
    guard let converted = J(exactly: number) else { throw outOfRange }
    return converted
}

/// The smallest int is refused as well: a double cannot tell it from what lies below.
private func integer(_ number: Double) throws(EvaluationError) -> Int64 {
    guard let converted = Int64(exactly: number.rounded(.towardZero)), converted != .min else { throw outOfRange }
    return converted
}

private func unsignedInteger(_ number: Double) throws(EvaluationError) -> UInt64 {
    guard number >= 0, let converted = UInt64(exactly: number.rounded(.towardZero)) else { throw outOfRange }
    return converted
}

private var outOfRange: EvaluationError {
    EvaluationError(.overflow, "the number is outside the range of the type it is converted to")
}

private func parsed<T>(_ text: String, as type: Type, _ read: (String) -> T?) throws(EvaluationError) -> T {
    if let value = read(text) { return value }
    throw EvaluationError(.invalidArgument, "'\(text.prefix(64))' is not a \(type), or out of its range")
}

/// Narrower than Swift, which also reads hexadecimal and turns what is too large into infinity.
private func double(_ text: String) -> Double? {
    switch text {
    case "NaN": return .nan
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
        guard text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }), let number = Double(text) else {
            return nil
        }
        return number.isFinite ? number : nil
    }
}

private func bool(_ text: String) -> Bool? {
    switch text {
    case "true", "TRUE", "True", "t", "1": true
    case "false", "FALSE", "False", "f", "0": false
    default: nil
    }
}

private func string(_ bytes: [UInt8]) throws(EvaluationError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw EvaluationError(.invalidArgument, "the bytes are not valid UTF-8")
}

// Conversions between types (langdef, "List of Standard Definitions").
extension Library {
    static let conversions: [Function] = [
        Function(
            "int", summary: "Converts to an int; a double loses its fraction, a timestamp becomes seconds since 1970",
            [.int, .uint, .double, .string, .timestamp].map { .unary($0, returns: .int, toInt) }),
        Function(
            "uint", summary: "Converts to a uint; a double loses its fraction",
            [.uint, .int, .double, .string].map { .unary($0, returns: .uint, toUint) }),
        Function(
            "double", summary: "Converts to a double",
            [.double, .int, .uint, .string].map { .unary($0, returns: .double, toDouble) }),
        Function(
            "string", summary: "Converts to text",
            [
                .string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, NetworkAddress.type,
                NetworkPrefix.type,
            ].map { .unary($0, returns: .string, toText) }),
        Function(
            "bytes", summary: "The UTF-8 of a text",
            [.bytes, .string].map { type in
                .unary(type, returns: .bytes) { value, _ throws(EvaluationError) in
                    if case .bytes = value { return value }
                    return .bytes(Array(try value.string.utf8))
                }
            }),
        Function(
            "bool", summary: "Reads 'true', 'false', 't', 'f', '1', '0'",
            [.bool, .string].map { .unary($0, returns: .bool, toBool) }),
        Function(
            "timestamp", summary: "Reads RFC 3339 text, or seconds since 1970",
            [.timestamp, .string, .int].map { .unary($0, returns: .timestamp, toTimestamp) }),
        Function(
            "duration", summary: "Reads a duration, such as 72h or 1m30s",
            [.duration, .string].map { .unary($0, returns: .duration, toDuration) }),
    ]

    @Sendable private static func toInt(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .int: return value
        case .uint(let number):
            guard let int = Int64(exactly: number) else { throw outOfRange("an int") }
            return .int(int)
        case .double(let number):
            // The ends are left out: as doubles they stand for neighbours that do not fit.
            guard number > -0x1p63, number < 0x1p63 else { throw outOfRange("an int") }
            return .int(Int64(number))
        case .string(let text):
            guard let int = Int64(text) else { throw unreadable(text, "an int") }
            return .int(int)
        case .timestamp(let time): return .int(time.seconds)
        default: throw value.wrongType
        }
    }

    @Sendable private static func toUint(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .uint: return value
        case .int(let number):
            guard let uint = UInt64(exactly: number) else { throw outOfRange("a uint") }
            return .uint(uint)
        case .double(let number):
            guard number >= 0, number < 0x1p64 else { throw outOfRange("a uint") }
            return .uint(UInt64(number))
        case .string(let text):
            guard let uint = UInt64(text) else { throw unreadable(text, "a uint") }
            return .uint(uint)
        default: throw value.wrongType
        }
    }

    @Sendable private static func toDouble(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .double: return value
        case .int(let number): return .double(Double(number))
        case .uint(let number): return .double(Double(number))
        case .string("Infinity"), .string("+Infinity"): return .double(.infinity)
        case .string("-Infinity"): return .double(-.infinity)
        case .string("NaN"): return .double(.nan)
        case .string(let text):
            guard text.utf8.count <= 1_000, let number = Double(text), number.isFinite else {
                throw unreadable(text, "a double")
            }
            return .double(number)
        default: throw value.wrongType
        }
    }

    @Sendable static func toText(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .string: return value
        case .bool(let value): return .string(value ? "true" : "false")
        case .int(let number): return .string(String(number))
        case .uint(let number): return .string(String(number))
        case .double(let number): return .string(number.celText)
        case .timestamp(let time): return .string(time.description)
        case .duration(let duration): return .string(duration.celText)
        case .opaque(let value): return .string(value.text)
        case .bytes(let bytes):
            guard let text = String(utf8Bytes: bytes) else {
                throw EvaluationError(.invalidArgument, "these bytes are not UTF-8")
            }
            return .string(text)
        default: throw value.wrongType
        }
    }

    @Sendable private static func toBool(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        guard case .string(let text) = value else { return value }
        switch text {
        case "1", "t", "T", "true", "TRUE", "True": return .bool(true)
        case "0", "f", "F", "false", "FALSE", "False": return .bool(false)
        default: throw unreadable(text, "a bool")
        }
    }

    @Sendable private static func toTimestamp(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .int(let seconds):
            return .timestamp(try Timestamp(checking: seconds))
        case .string(let text):
            return .timestamp(try Timestamp(parsing: text))
        default: return value
        }
    }

    @Sendable private static func toDuration(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        guard case .string(let text) = value else { return value }
        return .duration(try Duration(parsing: text))
    }

    private static func outOfRange(_ type: String) -> EvaluationError {
        EvaluationError(.overflow, "the number does not fit \(type)")
    }

    private static func unreadable(_ text: String, _ wanted: String) -> EvaluationError {
        EvaluationError(.invalidArgument, "'\(text.prefix(40))' is not \(wanted)")
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `"%s is %.2f".format([a, b])` of the `strings` extension.
enum Formatter {
    static func format(
        _ pattern: String, _ arguments: [Value], _ budget: inout Budget
    ) throws(EvaluationError) -> String {
        var result = ""
        var rest = Substring(pattern).unicodeScalars
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result.unicodeScalars += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            let clause = try Clause(&rest)
            guard next < arguments.count else {
                throw EvaluationError(.invalidArgument, "format() needs more values than the \(arguments.count) given")
            }
            result += try clause.text(of: arguments[next], &budget)
            next += 1
            try budget.charge(1)
        }
        result.unicodeScalars += rest
        return result
    }

    /// A value as `%s` shows it.
    static func text(of value: Value, _ budget: inout Budget) throws(EvaluationError) -> String {
        try budget.charge(1)
        switch value {
        case .null: return "null"
        case .type(let type): return type.runtimeName
        case .list(let list):
            var parts: [String] = []
            for element in list { parts.append(try text(of: element, &budget)) }
            try budget.charge(bytes: parts.reduce(0) { $0 + $1.utf8.count })
            return "[\(parts.joined(separator: ", "))]"
        case .map(let map):
            var parts: [(key: String, value: String)] = []
            for entry in map.entries {
                parts.append((try text(of: entry.key, &budget), try text(of: entry.value, &budget)))
            }
            try budget.charge(bytes: parts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count })
            parts.sort { $0.key.order($1.key) < 0 }
            return "{\(parts.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
        case .string(let text):
            try budget.charge(bytes: text.utf8.count)
            return text
        default: return try Library.toText(value, &budget).string
        }
    }
}

/// What follows a percent sign.
private struct Clause {
    var verb: Unicode.Scalar
    var precision: Int?

    /// More digits than this are refused: no double has them.
    static let maximumPrecision = 350

    init(_ rest: inout Substring.UnicodeScalarView) throws(EvaluationError) {
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count + 1)
            guard let precision = Int(String(digits)), precision <= Clause.maximumPrecision else {
                throw EvaluationError(.invalidArgument, "format() takes a precision up to \(Clause.maximumPrecision)")
            }
            self.precision = precision
        }
        guard let verb = rest.first else {
            throw EvaluationError(.invalidArgument, "format() ends in a '%'; a percent sign is written %%")
        }
        self.verb = verb
        rest = rest.dropFirst()
    }

    func text(of value: Value, _ budget: inout Budget) throws(EvaluationError) -> String {
        switch (verb, value) {
        case ("s", _): return try Formatter.text(of: value, &budget)
        case ("d", .double(let number)) where !number.isFinite: return number.celText
        case ("d", .int), ("d", .uint): return try integer(value, radix: 10)
        case ("f", _): return try decimal(value, format: "%.*f")
        case ("e", _): return try decimal(value, format: "%.*e")
        case ("b", .bool(let value)): return value ? "1" : "0"
        case ("b", _): return try integer(value, radix: 2)
        case ("o", _): return try integer(value, radix: 8)
        case ("x", _): return try hexadecimal(value, uppercase: false, &budget)
        case ("X", _): return try hexadecimal(value, uppercase: true, &budget)
        default: throw unsuitable(value)
        }
    }

    private func integer(_ value: Value, radix: Int, uppercase: Bool = false) throws(EvaluationError) -> String {
        switch value {
        case .int(let number): return String(number, radix: radix, uppercase: uppercase)
        case .uint(let number): return String(number, radix: radix, uppercase: uppercase)
        default: throw unsuitable(value)
        }
    }

    private func hexadecimal(
        _ value: Value, uppercase: Bool, _ budget: inout Budget
    ) throws(EvaluationError) -> String {
        let bytes: [UInt8]
        switch value {
        case .string(let text): bytes = Array(text.utf8)
        case .bytes(let value): bytes = value
        default: return try integer(value, radix: 16, uppercase: uppercase)
        }
        try budget.charge(bytes: bytes.count * 2)
        return bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: uppercase)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The C library rounds exactly, halves to the even digit.
    private func decimal(_ value: Value, format: String) throws(EvaluationError) -> String {
        let number: Double
        switch value {
        case .double(let value): number = value
        case .int(let value): number = Double(value)
        case .uint(let value): number = Double(value)
        default: throw unsuitable(value)
        }
        guard number.isFinite else { return number.celText }
        var buffer = [CChar](repeating: 0, count: 1_024)
        let arguments: [any CVarArg] = [Int32(precision ?? 6), number]
        let count = withVaList(arguments) { vsnprintf(&buffer, buffer.count, format, $0) }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func unsuitable(_ value: Value) -> EvaluationError {
        EvaluationError(.invalidArgument, "format() has no %\(verb) for a \(value.typeName)")
    }
}

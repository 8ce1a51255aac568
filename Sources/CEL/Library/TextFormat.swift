import Glibc

/// The clauses of `format`.
enum TextFormat {
    /// Go on to this many digits after the point, and no further: more never show anything.
    private static let largestPrecision = 100

    /// `text` with each clause (`%s`, `%.2f`, …) replaced by the next of `values`.
    ///
    /// - Throws: `invalidArgument` for an unknown clause, too few values, or a value that the clause does not take.
    static func format(_ text: String, _ values: [Value]) throws(EvaluationError) -> String {
        var result = BoundedText()
        var values = values[...]
        var rest = text.unicodeScalars[...]
        while let percent = rest.firstIndex(of: "%") {
            try result.append(Substring(rest[..<percent]))
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                try result.append("%")
                rest.removeFirst()
                continue
            }
            let precision = try takePrecision(&rest)
            guard let letter = rest.popFirst() else {
                throw EvaluationError(.invalidArgument, "the format ends within a clause; '%%' stands for '%'")
            }
            guard "sdfebxXo".unicodeScalars.contains(letter) else {
                throw EvaluationError(.invalidArgument, "the format has an unknown clause '%\(letter)'")
            }
            guard let value = values.popFirst() else {
                throw EvaluationError(.invalidArgument, "the format has more clauses than there are values")
            }
            try result.append(try formatted(value, letter, precision))
        }
        try result.append(Substring(rest))
        return result.text
    }

    /// Takes `.digits` from the front.
    private static func takePrecision(_ rest: inout Substring.UnicodeScalarView) throws(EvaluationError) -> Int? {
        guard rest.first == "." else { return nil }
        let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }
        guard let precision = Int(String(digits)), precision <= largestPrecision else {
            throw EvaluationError(.invalidArgument, "a precision must be one of 0 to \(largestPrecision)")
        }
        rest = rest[digits.endIndex...]
        return precision
    }

    private static func formatted(
        _ value: Value, _ letter: Unicode.Scalar, _ precision: Int?
    ) throws(EvaluationError) -> String {
        let text: String? =
            switch letter {
            case "s": try value.boundedText()
            case "d": decimal(value)
            case "f", "e": fraction(value, letter, precision ?? 6)
            case "b": binary(value)
            case "o": integer(value, radix: 8)
            case "x": hexadecimal(value)
            default: hexadecimal(value)?.uppercased()
            }
        if let text { return text }
        throw EvaluationError(.invalidArgument, "'%\(letter)' does not take a \(value.typeName)")
    }

    private static func decimal(_ value: Value) -> String? {
        if case .double(let number) = value { return number.isFinite ? nil : number.celText }
        return integer(value, radix: 10)
    }

    private static func binary(_ value: Value) -> String? {
        if case .bool(let bool) = value { return bool ? "1" : "0" }
        return integer(value, radix: 2)
    }

    private static func integer(_ value: Value, radix: Int) -> String? {
        switch value {
        case .int(let number): String(number, radix: radix)
        case .uint(let number): String(number, radix: radix)
        default: nil
        }
    }

    private static func hexadecimal(_ value: Value) -> String? {
        switch value {
        case .string(let text): hexadecimal(text.utf8)
        case .bytes(let bytes): hexadecimal(bytes)
        default: integer(value, radix: 16)
        }
    }

    private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func fraction(_ value: Value, _ letter: Unicode.Scalar, _ precision: Int) -> String? {
        switch value {
        case .double(let number): fraction(number, letter, precision)
        case .int(let number): fraction(Double(number), letter, precision)
        case .uint(let number): fraction(Double(number), letter, precision)
        default: nil
        }
    }

    /// C's formatting is exact, as Go's, whose output the extension prescribes.
    private static func fraction(_ number: Double, _ letter: Unicode.Scalar, _ precision: Int) -> String {
        guard number.isFinite else { return number.celText }
        // The largest double has 309 digits before the point.
        var buffer = [CChar](repeating: 0, count: 309 + largestPrecision + 8)
        let length = withVaList([Int32(precision), number]) {
            vsnprintf(&buffer, buffer.count, letter == "e" ? "%.*e" : "%.*f", $0)
        }
        return String(decoding: buffer.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

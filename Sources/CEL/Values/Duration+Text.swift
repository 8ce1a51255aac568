extension Duration {
    /// Reads a CEL duration: numbers with a unit (`h`, `m`, `s`, `ms`, `us`, `ns`), one after the other, all of the sign
    /// in front: `1h30m`, `-1.5s`. Also `0`. What is below a nanosecond is cut off.
    ///
    /// - Throws: `invalidArgument` for any other text, `overflow` outside ±315,576,000,000 s.
    package init(parsing text: String) throws(EvaluationError) {
        var scanner = ByteScanner(text)
        let isNegative = scanner.take("-")
        if !isNegative { _ = scanner.take("+") }
        guard let nanoseconds = scanner.nanosecondsOfTerms() else {
            throw EvaluationError(.invalidArgument, "'\(text.prefix(64))' is not a duration such as 1h30m or 1.5s")
        }
        guard let magnitude = Duration(checkingNanoseconds: nanoseconds) else {
            throw EvaluationError(.overflow, "a duration must lie within ±\(Self.largestSeconds) seconds")
        }
        self = isNegative ? .zero - magnitude : magnitude
    }

    private init?(checkingNanoseconds nanoseconds: Int128) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard let seconds = Int64(exactly: seconds), seconds <= Self.largestSeconds else { return nil }
        self = .seconds(seconds) + .nanoseconds(Int64(rest))
        if !isInRange { return nil }
    }

    /// Seconds as a decimal number with `s`: `123.5s`. What is below a nanosecond is cut off.
    package var celText: String {
        let (seconds, attoseconds) = components
        let nanoseconds = Int32(attoseconds / 1_000_000_000)
        let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude)\(decimalFraction(nanoseconds: abs(nanoseconds)))s"
    }
}

extension ByteScanner {
    /// The sum of all terms up to the end; at most `Int128.max`, whatever their number.
    fileprivate mutating func nanosecondsOfTerms() -> Int128? {
        var total: Int128 = 0
        repeat {
            guard let number = number() else { return nil }
            // The one number that needs no unit.
            if number == 0, isAtEnd { return total }
            var fraction: Int64 = 0
            if take(".") {
                guard let digits = self.fraction(places: 18) else { return nil }
                fraction = digits
            }
            guard let unit = unit() else { return nil }
            let term = Int128(number) * unit + Int128(fraction) * unit / 1_000_000_000_000_000_000
            let (sum, isTooLarge) = total.addingReportingOverflow(term)
            total = isTooLarge ? .max : sum
        } while !isAtEnd
        return total
    }

    /// The nanoseconds of a unit.
    private mutating func unit() -> Int128? {
        if take("h") { return 3_600_000_000_000 }
        if take("s") { return 1_000_000_000 }
        if take("m") { return take("s") ? 1_000_000 : 60_000_000_000 }
        if take("u") { return take("s") ? 1_000 : nil }
        if take("n") { return take("s") ? 1 : nil }
        return nil
    }
}

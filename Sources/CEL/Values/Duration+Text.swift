// Duration text: `1h30m`, `-1.5s`, and `5400s` on the way out.
extension Duration {
    /// What CEL keeps of a duration, about 292 years either way; nil when it is longer.
    var wholeNanoseconds: Int64? {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carry ? nil : sum
    }

    /// Whether CEL can hold it.
    package var isInRange: Bool { wholeNanoseconds != nil }

    /// Reads an optional sign and one or more numbers with a unit (`h m s ms us ns`), each may have a fraction; `0` needs
    /// no unit. Digits past the nanosecond are dropped.
    ///
    /// - Throws: `invalidArgument` when it is not that, or longer than 292 years.
    package init(parsing text: String) throws(EvaluationError) {
        if let duration = Duration(reading: text) {
            self = duration
        } else if text.hasSuffix("d"), let days = Int(text.dropLast()), (-100_000...100_000).contains(days) {
            throw EvaluationError(
                .invalidArgument, "'\(text)' is not a duration: durations have no days, use \(days * 24)h")
        } else {
            throw EvaluationError(
                .invalidArgument, "'\(text.prefix(40))' is not a duration, which looks like 72h or 1m30s")
        }
    }

    /// - Throws: `overflow` when the sum is longer than 292 years.
    func adding(_ other: Duration) throws(EvaluationError) -> Duration {
        let sum = self + other
        guard isInRange, other.isInRange, sum.isInRange else {
            throw EvaluationError(.overflow, "the duration is longer than 292 years")
        }
        return sum
    }

    private init?(reading text: String) {
        var scanner = ByteScanner(text)
        let isNegative = scanner.skip("-")
        if !isNegative { _ = scanner.skip("+") }
        if scanner.skip(word: "0") && scanner.isAtEnd {
            self = .zero
            return
        }
        scanner = ByteScanner(text)
        _ = scanner.skip("-") || scanner.skip("+")
        var total: Int64 = 0
        repeat {
            guard let part = scanner.durationPart(isNegative: isNegative) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            if overflow { return nil }
            total = sum
        } while !scanner.isAtEnd
        self = .nanoseconds(total)
    }

    /// Seconds with as many digits as there are: `5400s`, `-0.5s`.
    package var celText: String {
        let (seconds, attoseconds) = components
        let nanoseconds = Int(attoseconds / 1_000_000_000)
        let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude)\(fractionText(abs(nanoseconds)))s"
    }
}

extension ByteScanner {
    /// A number with its unit, in nanoseconds.
    fileprivate mutating func durationPart(isNegative: Bool) -> Int64? {
        var whole: Int64 = 0
        var hasDigits = false
        while let digit = digit() {
            let (scaled, overflow) = whole.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(Int64(isNegative ? -digit : digit))
            if overflow || carry { return nil }
            whole = sum
            hasDigits = true
        }
        var fraction: Int128 = 0
        var scale: Int128 = 1
        if skip(".") {
            while let digit = digit() {
                hasDigits = true
                guard scale < 1_000_000_000_000_000 else { continue }
                fraction = fraction * 10 + Int128(isNegative ? -digit : digit)
                scale *= 10
            }
        }
        guard hasDigits, let unit = durationUnit() else { return nil }
        return Int64(exactly: Int128(whole) * unit + fraction * unit / scale)
    }

    private mutating func durationUnit() -> Int128? {
        if skip(word: "ns") { return 1 }
        if skip(word: "us") || skip(word: "µs") || skip(word: "μs") { return 1_000 }
        if skip(word: "ms") { return 1_000_000 }
        if skip("s") { return 1_000_000_000 }
        if skip("m") { return 60_000_000_000 }
        if skip("h") { return 3_600_000_000_000 }
        return nil
    }
}

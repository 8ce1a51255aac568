extension Timestamp: CustomStringConvertible {
    /// Reads an RFC 3339 timestamp: `2009-02-13T23:31:30.5Z`, or with an offset such as `+01:00` for `Z`.
    ///
    /// - Throws: `invalidArgument` for any other text, `overflow` outside the years 1 ... 9999.
    package init(parsing text: String) throws(EvaluationError) {
        var scanner = ByteScanner(text)
        guard let civil = scanner.civilTime(), civil.isValid, let fraction = scanner.nanoseconds(),
            let offset = scanner.offset(), scanner.isAtEnd
        else {
            throw EvaluationError(
                .invalidArgument, "'\(text.prefix(64))' is not a timestamp such as 2009-02-13T23:31:30Z")
        }
        try self.init(checking: civil.secondsSince1970 - Int64(offset), nanoseconds: fraction)
    }

    /// RFC 3339 in UTC, the fraction without trailing zeros.
    package var description: String {
        let civil = CivilTime(secondsSince1970: seconds)
        let date = "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
        let time = "\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
        return "\(date)T\(time)\(decimalFraction(nanoseconds: nanoseconds))Z"
    }
}

extension ByteScanner {
    fileprivate mutating func civilTime() -> CivilTime? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2), take("T", "t"),
            let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2)
        else { return nil }
        return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Nanoseconds; zero when there is no point.
    fileprivate mutating func nanoseconds() -> Int32? {
        take(".") ? fraction(places: 9).map(Int32.init) : 0
    }

    /// Seconds east of Greenwich.
    fileprivate mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard take("+", "-"), let hours = digits(2), hours < 24, take(":"), let minutes = digits(2), minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// `.5` for half a second, nothing for none.
func decimalFraction(nanoseconds: Int32) -> String {
    if nanoseconds == 0 { return "" }
    var digits = padded(Int(nanoseconds), 9)
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
}

extension Timestamp {
    /// 0001-01-01T00:00:00Z.
    package static let earliest = Timestamp(seconds: -62_135_596_800)
    /// 9999-12-31T23:59:59.999999999Z.
    package static let latest = Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999)

    /// A timestamp from `seconds` since 1970, refused when its year is not one of 1 ... 9999.
    package init(checking seconds: Int64, nanoseconds: Int32 = 0) throws(EvaluationError) {
        let timestamp = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        guard timestamp >= .earliest, timestamp <= .latest else {
            throw EvaluationError(.overflow, "a timestamp must lie in the years 1 to 9999")
        }
        self = timestamp
    }

    /// The instant `offset` later, or an error when it lies outside CEL's range.
    package func adding(_ offset: Duration) throws(EvaluationError) -> Timestamp {
        guard (Timestamp.earliest...Timestamp.latest).contains(self), offset.isInRange else {
            throw EvaluationError(.overflow, "a timestamp or duration is out of range")
        }
        let sum = self + offset
        return try Timestamp(checking: sum.seconds, nanoseconds: sum.nanoseconds)
    }

    /// The time from `other` to this. As in other implementations it must fit 64 bits of nanoseconds: some 292 years.
    package func subtracting(_ other: Timestamp) throws(EvaluationError) -> Duration {
        let (seconds, beyondSeconds) = seconds.subtractingReportingOverflow(other.seconds)
        let (scaled, beyondScale) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let fraction = Int64(nanoseconds) - Int64(other.nanoseconds)
        let (total, beyondTotal) = scaled.addingReportingOverflow(fraction)
        if beyondSeconds || beyondScale || beyondTotal {
            throw EvaluationError(.overflow, "the timestamps lie too far apart to subtract")
        }
        return .nanoseconds(total)
    }
}

extension Duration {
    /// What CEL's durations may be at most, in either direction: 10,000 years.
    package static let largestSeconds: Int64 = 315_576_000_000

    /// Whether this is within ±315,576,000,000 s.
    package var isInRange: Bool {
        self >= .seconds(-Self.largestSeconds) && self <= .seconds(Self.largestSeconds)
    }

    /// Refuses a duration outside CEL's range.
    package func checked() throws(EvaluationError) -> Duration {
        if isInRange { return self }
        throw EvaluationError(.overflow, "a duration must lie within ±\(Self.largestSeconds) seconds")
    }

    /// The sum, or an error when it or a part of it is out of CEL's range.
    package func adding(_ other: Duration) throws(EvaluationError) -> Duration {
        try (checked() + other.checked()).checked()
    }

    /// The difference, or an error when it or a part of it is out of CEL's range.
    package func subtracting(_ other: Duration) throws(EvaluationError) -> Duration {
        try (checked() - other.checked()).checked()
    }
}

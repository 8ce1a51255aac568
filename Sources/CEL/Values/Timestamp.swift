/// An instant of the proleptic Gregorian calendar, from year 1 to 9999, to the nanosecond (langdef, "Timestamps").
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package var seconds: Int64
    /// 0 ... 999,999,999, always counted forward from `seconds`.
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.seconds == b.seconds ? a.nanoseconds < b.nanoseconds : a.seconds < b.seconds
    }

    /// The time from `b` to `a`. Does not check CEL's range; the interpreter does.
    package static func - (a: Timestamp, b: Timestamp) -> Duration {
        .seconds(a.seconds - b.seconds) + .nanoseconds(Int64(a.nanoseconds) - Int64(b.nanoseconds))
    }

    /// The instant that lies `offset` later. Does not check CEL's range; the interpreter does.
    package static func + (a: Timestamp, offset: Duration) -> Timestamp {
        let (wholeSeconds, attoseconds) = offset.components
        var seconds = a.seconds + wholeSeconds
        var nanoseconds = Int64(a.nanoseconds) + attoseconds / 1_000_000_000
        if nanoseconds < 0 {
            nanoseconds += 1_000_000_000
            seconds -= 1
        } else if nanoseconds >= 1_000_000_000 {
            nanoseconds -= 1_000_000_000
            seconds += 1
        }
        return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    package static func - (a: Timestamp, offset: Duration) -> Timestamp {
        a + (.zero - offset)
    }
}

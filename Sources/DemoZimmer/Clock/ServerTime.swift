/// A moment on the server's clock, to the millisecond.
package struct ServerTime: Sendable, Hashable, Comparable {
    package var millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }

    /// Saturates at the ends rather than trapping.
    package static func + (time: Self, duration: Duration) -> Self {
        let (sum, overflow) = time.millisecondsSince1970.addingReportingOverflow(duration.wholeMilliseconds)
        return Self(millisecondsSince1970: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    package static func - (time: Self, duration: Duration) -> Self {
        time + (.zero - duration)
    }

    package static func - (later: Self, earlier: Self) -> Duration {
        .milliseconds(later.millisecondsSince1970) - .milliseconds(earlier.millisecondsSince1970)
    }

    /// The last multiple of `step` since 1970 that is not after this time.
    package func rounded(downTo step: Duration) -> Self {
        let step = max(1, step.wholeMilliseconds)
        return Self(millisecondsSince1970: millisecondsSince1970.floorDivided(by: step) * step)
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : milliseconds + attoseconds / 1_000_000_000_000_000
    }

    package static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}

extension FixedWidthInteger {
    func floorDivided(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

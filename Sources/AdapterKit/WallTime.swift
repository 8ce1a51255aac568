#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A time of day, in whole seconds and nanoseconds since 1970-01-01T00:00:00Z.
public struct WallTime: Hashable, Comparable, Sendable, Codable {
    /// Rounded down.
    public var seconds: Int64
    /// 0 … 999,999,999, counted forward from `seconds`.
    public var nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    static func systemNow() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }

    public static func < (a: WallTime, b: WallTime) -> Bool {
        a.seconds == b.seconds ? a.nanoseconds < b.nanoseconds : a.seconds < b.seconds
    }

    /// The time from `b` to `a`.
    public static func - (a: WallTime, b: WallTime) -> Duration {
        .seconds(a.seconds) - .seconds(b.seconds) + .nanoseconds(Int64(a.nanoseconds) - Int64(b.nanoseconds))
    }

    /// The time `offset` later.
    public static func + (a: WallTime, offset: Duration) -> WallTime {
        let (wholeSeconds, attoseconds) = (.nanoseconds(Int64(a.nanoseconds)) + offset).components
        let borrow: Int64 = attoseconds < 0 ? 1 : 0
        let nanoseconds = attoseconds / 1_000_000_000 + borrow * 1_000_000_000
        // A fraction of less than one nanosecond below zero rounds to the full second above.
        let carry: Int64 = nanoseconds == 1_000_000_000 ? 1 : 0
        return WallTime(
            seconds: a.seconds + wholeSeconds - borrow + carry,
            nanoseconds: Int32(carry == 1 ? 0 : nanoseconds))
    }
}

import AdapterKit

/// The time of day without its steps back, which would stretch every deadline.
struct SteadyTime: Sendable {
    private var seen: WallTime
    private(set) var now: WallTime

    init(_ time: WallTime) {
        seen = time
        now = time
    }

    mutating func advance(to time: WallTime) -> WallTime {
        now = now + max(.zero, time - seen)
        seen = time
        return now
    }
}

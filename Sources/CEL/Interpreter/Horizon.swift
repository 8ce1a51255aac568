/// Until when an evaluation would come to the same if nothing but the clock moves, which only goes forward.
///
/// The clock is the variable that `Environment.Options.clock` names. Comparisons of something that grows with it, such as
/// `now - session.touched_at > duration("72h")`, are known to hold or not until an instant; of everything else that reads
/// the clock nothing is known but the moment. That times end with the year 9999, and durations after 292 years, is left out.
package struct Horizon: Hashable, Sendable {
    /// The first instant at which the result may be another, long ago when that is any later one; nil when time does not
    /// matter.
    package private(set) var end: Timestamp?

    package init() {}

    mutating func lower(to instant: Timestamp) {
        end = end.map { min($0, instant) } ?? instant
    }

    /// Of several evaluations that belong together, the one that lasts shortest counts.
    package mutating func lower(to other: Horizon) {
        if let instant = other.end { lower(to: instant) }
    }

    /// At any later instant the result may be another.
    mutating func close() {
        end = Timestamp(seconds: .min)
    }
}

/// How a value moves with the clock: by as much as the clock, forward or backward. A class, since planning holds one for
/// every level of the tree.
final class Motion: Sendable {
    /// Gives the value, without noting that it moves.
    let node: any Node
    private let isBackward: Bool
    /// The variable that is the clock.
    private let clock: Int

    init(node: any Node, isBackward: Bool = false, clock: Int) {
        self.node = node
        self.isBackward = isBackward
        self.clock = clock
    }

    /// Of a result that moves like this, or the other way.
    func carried(by node: any Node, reversed: Bool = false) -> Motion {
        Motion(node: node, isBackward: isBackward != reversed, clock: clock)
    }

    /// Notes when the order of two values will be another, if their difference moves like this.
    func note(_ left: Value, _ right: Value, _ frame: inout Frame) {
        guard case .timestamp(let now) = frame.activation.values[clock] else { return frame.horizon.close() }
        let distance: Duration
        switch (left, right) {
        case (.timestamp(let left), .timestamp(let right)): distance = right - left
        case (.duration(let left), .duration(let right)): distance = right - left
        default: return frame.horizon.close()
        }
        let wait = isBackward ? .zero - distance : distance
        if wait > .zero { frame.horizon.lower(to: now + wait) }
        if wait == .zero { frame.horizon.close() }
    }
}

/// The variable that is the clock.
final class ClockNode: Node {
    private let slot: Int

    init(slot: Int) {
        self.slot = slot
    }

    func evaluate(_ frame: inout Frame) -> Value {
        frame.horizon.close()
        return frame.activation[slot]
    }
}

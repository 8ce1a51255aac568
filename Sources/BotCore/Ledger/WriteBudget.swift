import CEL
import Rules

/// The calls of the last day, for `zimmer.limit`. A call counts when it is made, however long its run waited for it:
/// what many runs have waited for together does not go out together.
struct WriteBudget {
    private struct Call {
        var at: Timestamp
        var cost: Int
    }

    /// By action, so that another attempt of one counts once.
    private var calls: [Int64: Call] = [:]

    /// Counts a call that is about to be made.
    mutating func note(_ action: Int64, cost: Int, at time: Timestamp) {
        calls = calls.filter { $0.value.at > time - .seconds(86_400) }
        calls[action] = Call(at: time, cost: cost)
    }

    /// Takes a call back that had no effect.
    mutating func forget(_ action: Int64) {
        calls[action] = nil
    }

    func allows(_ cost: Int, within limit: ServerLimit, now: Timestamp) -> Bool {
        let hourAgo = now - .seconds(3_600)
        let dayAgo = now - .seconds(86_400)
        var spent = (hour: 0, day: 0)
        for call in calls.values where call.at > dayAgo {
            spent.day += call.cost
            if call.at > hourAgo { spent.hour += call.cost }
        }
        return spent.hour + cost <= limit.perHour && spent.day + cost <= limit.perDay
    }
}

/// What is going to happen, in order of time; at one time, in the order it was planned.
struct Agenda: Sendable {
    enum Happening: Sendable {
        case turnStarts(session: Int, turn: Int)
        case turnEnds(session: Int, turn: Int)
        case spends(session: Int, turn: Int)
        case deliversQueue(session: Int)
        case noticesRest(session: Int, restedAt: ServerTime)
        case snoozeEnds(session: Int)
        case sweepEnds
        case change(Change)
    }

    private struct Entry: Sendable {
        var time: ServerTime
        var order: Int
        var happening: Happening
    }

    /// Latest first, so that what is next is at the end.
    private var entries: [Entry] = []
    private var planned = 0

    /// - Complexity: O(entries) for what is far off, O(log entries) for what is next.
    mutating func plan(_ happening: Happening, at time: ServerTime) {
        planned += 1
        let entry = Entry(time: time, order: planned, happening: happening)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time > time { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
    }

    /// Takes out what comes next, if it is due.
    mutating func next(until now: ServerTime) -> (time: ServerTime, happening: Happening)? {
        guard let entry = entries.last, entry.time <= now else { return nil }
        entries.removeLast()
        return (entry.time, entry.happening)
    }
}

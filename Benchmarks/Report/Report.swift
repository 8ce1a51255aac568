import Foundation

/// All that was measured.
struct Report: Codable {
    var rules: Int
    var boards: [BoardBenchmark]
    var conditions: [ConditionBenchmark]
    var channels: [ChannelBenchmark]
    var history: HistoryBenchmark?

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    var table: String {
        (boards.flatMap { lines(of: $0) } + conditionLines + channelLines + historyLines).joined(separator: "\n")
    }

    private func lines(of board: BoardBenchmark) -> [String] {
        let polls = [("first", board.first), ("unchanged", board.unchanged), ("1 % changed", board.changed)]
        return [
            "\(board.sessions) sessions, \(rules) rules: \(board.episodes) episodes and \(board.runs) runs at the first poll",
            row("  poll, ms", ["read", "decide", "commit", "total", "processor"]),
        ]
            + polls.map { name, poll in
                row(
                    "  " + name,
                    [poll.read, poll.decide, poll.commit, poll.total, poll.processor].map { decimal($0 * 1_000) })
            }
            + [
                row("  memory, MiB", ["peak", "idle", "anonymous"]),
                row("", [board.peak, board.idleResident, board.idleAnonymous].map { decimal(Double($0) / 1_024) }),
                "  polled every 30 s while 5 % change: \(decimal(board.idleShare * 100, digits: 2)) % of a processor",
                "",
            ]
    }

    private var conditionLines: [String] {
        guard !conditions.isEmpty else { return [] }
        return ["evaluations per second (filter: over \(ConditionBenchmark.sessions) sessions)"]
            + conditions.map { row("  " + $0.name, [decimal($0.perSecond, digits: 0)]) }
    }

    private var channelLines: [String] {
        guard !channels.isEmpty else { return [] }
        return ["", "from a decision, durably queued, ms: median and slowest"]
            + channels.map { channel in
                let cells = [channel.median, channel.slowest].compactMap { $0.map { decimal($0 * 1_000, digits: 2) } }
                return "  " + channel.name.padding(toLength: max(44, channel.name.count), withPad: " ", startingAt: 0)
                    + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
            }
    }

    private var historyLines: [String] {
        guard let history else { return [] }
        return [
            "",
            "\(history.polls) polls of \(history.sessions) sessions in \(history.days) days, \(history.changes) changes, "
                + "\(history.rules) rules",
            row("  ", ["file, MB", "history, MB", "poll, us", "replay, s", "misses, s"]),
            row(
                "",
                [
                    decimal(Double(history.fileBytes) / 1e6), decimal(Double(history.historyBytes) / 1e6),
                    decimal(history.perPoll * 1e6), decimal(history.replay, digits: 2),
                    decimal(history.nearMisses, digits: 2),
                ]),
        ]
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        name.padding(toLength: 16, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
    }

    private func decimal(_ number: Double, digits: Int = 1) -> String {
        String(format: "%.\(digits)f", number)
    }
}

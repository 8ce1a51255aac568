import CEL
import Rules
import Testing

@testable import BotCore

/// One run of a timetable, and how what came of it differs from what is written there.
struct TimetablePlay {
    private static let outcomes: Set = ["ops", "pager", "zimmer"]

    let table: Timetable
    /// What stands for `*` in the row of events.
    var event: String?
    /// Before each round the rules are loaded again; after every other one the bot is killed, and reads the same once more,
    /// unless a reading more makes a difference.
    var isDisturbed = false
    private let bot: TimetableBot

    init(_ table: Timetable, event: String? = nil, isDisturbed: Bool = false) throws {
        (self.table, self.event, self.isDisturbed) = (table, event, isDisturbed)
        bot = try TimetableBot(table.rules, at: table.start)
    }

    /// Plays it.
    ///
    /// - Returns: a line for each difference.
    func differences() async throws -> [String] {
        var isDown = false
        for (column, instant) in table.instants.enumerated() {
            try await bot.pass(to: table.start + instant)
            bot.zimmer.update { table.stage(column, &$0, now: table.start + instant) }
            for event in events(column) { try await apply(event, &isDown) }
            if isDown { continue }
            if isDisturbed { try await bot.reload() }
            let isRead = table["board"][column] != "unread"
            if isRead { try await bot.poll() } else { try await bot.tick() }
            guard isDisturbed, !table.countsReadings, (column + table.line).isMultiple(of: 2) else { continue }
            try bot.begin()
            if isRead { try await bot.poll() }
        }
        return compared()
    }

    // MARK: - Events

    private func events(_ column: Int) -> [String] {
        table["event"][column].split(separator: ";").map { $0.description.trimmed }
            .flatMap { $0 == "*" ? event.map { [$0] } ?? [] : [$0] }
    }

    private func apply(_ event: String, _ isDown: inout Bool) async throws {
        let words = event.split(separator: " ", maxSplits: 1).map(String.init)
        switch words[0] {
        case "stop":
            bot.end()
            isDown = true
        case "start":
            try bot.begin()
            isDown = false
        // Just after a reading: what passed since the one before would be lost to timers.
        case "kill":
            try await bot.poll()
            try bot.begin()
        case "reload": try await bot.reload(try #require(table.reloaded, "there is no '-- reload'"))
        case "clock":
            let length = try #require(words.count > 1 ? Duration(ruleText: String(words[1].dropFirst())) : nil)
            bot.clock.set(by: words[1].hasPrefix("-") ? .zero - length : length)
            try await bot.notice()
        case "answer":
            let answer = try #require(ScriptedZimmer.Answer(rawValue: words.count > 1 ? words[1] : ""))
            bot.zimmer.update { $0.answer = answer }
        case "ack", "pause", "resume", "mute", "release", "run-rule":
            try bot.ask(words[0], words.count > 1 ? words[1] : "")
        default:
            try await bot.reload(try #require(table.rules.edited(event), "'\(event)' is no event"))
        }
    }

    // MARK: - Comparing

    private func compared() -> [String] {
        let happenings = bot.happenings
        var lines: [String] = []
        let labels = event == nil ? Self.outcomes.union(table.rows.map(\.label)) : []
        for label in labels.sorted() where Timetable.isOutcome(label) {
            let place = label.split(separator: " ").joined(separator: "_")
            let found = happenings.filter { $0.place == place }
            lines += differences(label, found) { expected, text in
                Self.outcomes.contains(place) ? expected == text : text.matches(expected)
            }
        }
        if let event {
            let found = happenings.filter { Self.outcomes.contains($0.place) }
            lines += differences(event, found) { $0 == $1 }
        }
        return lines
    }

    private func differences(
        _ label: String, _ found: [TimetableBot.Happening], _ isSame: (String, String) -> Bool
    ) -> [String] {
        var lines: [String] = []
        for (column, instant) in table.instants.enumerated() {
            var left = found.filter { $0.at == table.start + instant }.map(\.text)
            let cell = table[label][column]
            let expected = cell.isEmpty ? [] : cell.split(separator: ", ").map(String.init)
            let missing = expected.filter { item in
                guard let index = left.firstIndex(where: { isSame(item, $0) }) else { return true }
                left.remove(at: index)
                return false
            }
            lines += missing.map { "\(instant.inWords) \(label): '\($0)' did not come" }
            lines += left.map { "\(instant.inWords) \(label): '\($0)' came" }
        }
        let instants = Set(table.instants.map { table.start + $0 })
        let between = found.filter { !instants.contains($0.at) }
        return lines
            + between.map { "\(($0.at - table.start).inWords) \(label): '\($0.text)' came, between two columns" }
    }
}

extension Timetable {
    private static let words = ["event", "board", "health"]

    /// What comes of the rules, and not what there is to be read.
    static func isOutcome(_ label: String) -> Bool { !words.contains(label) && Int64(label) == nil }

    /// The edits that a table tries one after the other.
    var variants: [String] {
        guard self["event"].contains(where: { $0.contains("*") }) else { return [] }
        return rows.map(\.label).filter(Self.isOutcome)
    }

    /// Sets what there is to be read in a column.
    fileprivate func stage(_ column: Int, _ state: inout ScriptedZimmer.State, now: Timestamp) {
        for row in rows {
            guard let id = Int64(row.label), !row.cells[column].isEmpty else { continue }
            let words = row.cells[column].split(separator: " ").map(String.init)
            var session = state.sessions[id] ?? .init(title: "a", touchedAt: start)
            session.isReadable = true
            for word in words {
                switch word {
                case "touched": session.touchedAt = now
                case "dark": session.isReadable = false
                case _ where Self.statuses[word] != nil: session.status = Self.statuses[word] ?? word
                default: session.title = word
                }
            }
            state.sessions[id] = words == ["gone"] ? nil : session
        }
        state.failing = []
        if self["board"][column] == "fails" { state.failing.insert("sessions") }
        switch self["health"][column] {
        case "bad": state.isInRecovery = true
        case "ok": state.isInRecovery = false
        case "fails": state.failing.insert("health")
        default: break
        }
    }

    private static let statuses = [
        "bad": "failed", "ok": "running", "stuck": "waiting", "rests": "needs_input", "trash": "archived",
        "odd": "dreaming",
    ]
}

extension String {
    /// `7 per_hour`: it is about session 7 and says `per_hour`.
    fileprivate func matches(_ expected: String) -> Bool {
        let words = expected.split(separator: " ", maxSplits: 1).map(String.init)
        guard Int64(words[0]) != nil else { return contains(expected) }
        return self == words[0] || hasPrefix("\(words[0]) ") && (words.count == 1 || contains(words[1]))
    }
}

extension Duration {
    /// As in a header.
    var inWords: String {
        let seconds = components.seconds
        let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        let text = parts.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
        return text.isEmpty ? "0" : text
    }
}

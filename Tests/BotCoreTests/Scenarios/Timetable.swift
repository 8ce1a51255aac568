import CEL
import Foundation
import Rules
import Testing

/// Rules, what there is to be read at which time, and what the bot is to make of it, written as one table: see
/// `Timetables/README.md`.
struct Timetable: Sendable, CustomTestStringConvertible {
    struct Mistake: Error, CustomStringConvertible {
        var description: String
    }

    /// A line of the table, with one cell for each instant.
    struct Row: Sendable {
        var label: String
        var cells: [String]
    }

    var file: String
    var line: Int
    var title: String
    var rules: TimetableRules
    /// What a reload brings into force.
    var reloaded: TimetableRules?
    var start = Timestamp(seconds: 1_791_547_200)
    /// A reading more makes a difference, so that it cannot be played with kills.
    var countsReadings = false
    /// Since the start.
    var instants: [Duration] = []
    var rows: [Row] = []

    var testDescription: String { "\(file):\(line) \(title)" }

    /// The cells of a row; none in a table without it.
    subscript(label: String) -> [String] {
        rows.first { $0.label == label }?.cells ?? instants.map { _ in "" }
    }

    // MARK: - Reading

    static func all(in file: String) throws -> [Timetable] {
        let url = try #require(Bundle.module.url(forResource: file, withExtension: "txt", subdirectory: "Timetables"))
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let starts = lines.indices.filter { lines[$0].hasPrefix("== ") }
        return try zip(starts, starts.dropFirst() + [lines.endIndex]).map { start, end in
            try Timetable(file: "\(file).txt", line: start + 1, lines[start..<end])
        }
    }

    private init(file: String, line: Int, _ lines: ArraySlice<String>) throws {
        let written = lines.filter { !$0.hasPrefix("#") }
        guard let header = written.firstIndex(where: { $0.hasPrefix("time ") || $0.hasPrefix("clock ") }) else {
            throw Mistake(description: "\(file):\(line): there is no table")
        }
        (self.file, self.line) = (file, line)
        title = String(written[written.startIndex].dropFirst(3))
        let text = written[written.startIndex + 1..<header]
        countsReadings = text.contains(Self.countingReadings)
        let texts = text.filter { $0 != Self.countingReadings }
            .split(separator: "-- reload", omittingEmptySubsequences: false).map(Array.init)
        rules = TimetableRules(texts[0])
        reloaded = texts.count > 1 ? TimetableRules(texts[1]) : nil
        let columns = Self.columns(written[header])
        try readTimes(columns.map(\.text), isClock: written[header].hasPrefix("clock"))
        let table = written[(header + 1)...].prefix { !$0.trimmed.isEmpty }
        rows = try table.map { try Self.row($0, columns.map(\.start)) }
    }

    private static let countingReadings = "each reading counts"

    /// The words of the header behind its label, and where they begin.
    private static func columns(_ header: String) -> [(start: Int, text: String)] {
        var columns: [(start: Int, text: String)] = []
        var previous: Character = " "
        for (index, character) in header.enumerated() {
            if character != " " {
                if previous == " " { columns.append((index, "")) }
                columns[columns.count - 1].text.append(character)
            }
            previous = character
        }
        return Array(columns.dropFirst())
    }

    /// A cell reaches from the beginning of its column to that of the next one.
    private static func row(_ line: String, _ starts: [Int]) throws -> Row {
        let characters = Array(line)
        let ends = starts + [max(characters.count, starts.last ?? 0)]
        let parts = zip([0] + starts, ends).map { start, end in
            start < characters.count ? String(characters[start..<min(end, characters.count)]) : ""
        }
        for (part, end) in zip(parts, ends) where !part.trimmed.isEmpty {
            guard part.first != " ", end >= characters.count || part.last == " " else {
                throw Mistake(description: "'\(part.trimmed)' does not stand in its column: \(line)")
            }
        }
        return Row(label: parts[0].trimmed, cells: parts.dropFirst().map(\.trimmed))
    }

    /// `time` counts from Friday, 9 October 2026, 12:00 UTC; `clock` has times of day, from that Friday on.
    private mutating func readTimes(_ words: [String], isClock: Bool) throws {
        guard isClock else {
            instants = try words.map { word in
                guard let time = Duration(ruleText: word == "0" ? "0s" : word) else {
                    throw Mistake(description: "'\(word)' is no duration")
                }
                return time
            }
            return
        }
        var last: Duration = .zero
        let times = try words.map { word -> Duration in
            let parts = word.split(separator: ":").compactMap { Int64($0) }
            guard parts.count >= 2 else { throw Mistake(description: "'\(word)' is no time of day") }
            let seconds = zip(parts, [3_600, 60, 1]).map { $0 * $1 }.reduce(0, +)
            while last > .seconds(seconds) + .days(last.wholeDays) { last = .days(last.wholeDays + 1) }
            last = .seconds(seconds) + .days(last.wholeDays)
            return last
        }
        start = Timestamp(seconds: 1_791_504_000) + (times.first ?? .zero)
        instants = times.map { $0 - (times.first ?? .zero) }
    }
}

extension Duration {
    fileprivate static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
    fileprivate var wholeDays: Int64 { components.seconds / 86_400 }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

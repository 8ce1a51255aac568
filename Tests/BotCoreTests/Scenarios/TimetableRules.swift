import CEL
import Rules
import Testing

@testable import BotCore

/// The rules of a timetable, of which only what matters is written: what a rule leaves out is as in `defaults`.
struct TimetableRules: Sendable {
    private struct Rule: Sendable {
        var name: String
        /// Its keys, without their indentation.
        var lines: [String]

        func has(_ key: String) -> Bool { lines.contains { $0.hasPrefix("\(key):") } }
    }

    /// Lines of the file beside its rules, by their key.
    private var settings: [String: String] = [:]
    private var rules: [Rule] = []

    /// - Parameter lines: the keys of one rule, which is called `r`, or a list of rules.
    init(_ lines: [String]) {
        for line in lines where !line.trimmed.isEmpty {
            if let key = ["limit", "ops", "defaults"].first(where: { line.hasPrefix("file \($0): ") }) {
                settings[key] = String(line.dropFirst("file \(key): ".count))
            } else if line.hasPrefix("- name: ") {
                rules.append(Rule(name: String(line.dropFirst(8)), lines: []))
            } else if rules.isEmpty {
                rules.append(Rule(name: "r", lines: [line]))
            } else {
                rules[rules.count - 1].lines.append(rules[0].name == "r" ? line : String(line.dropFirst(2)))
            }
        }
        if rules.isEmpty { rules = [Rule(name: "r", lines: [])] }
    }

    /// What an edit of the first rule makes of them; nil for a word that is no edit.
    func edited(_ edit: String) -> TimetableRules? {
        var copy = self
        switch edit {
        case "same": break
        case "new text": copy.rules[0].lines = completed(rules[0]).map { $0.replacing("text: \"", "text: \"new ") }
        case "new if": copy.rules[0].lines = completed(rules[0], and: "session.id > 0")
        case "narrower": copy.rules[0].lines = completed(rules[0], and: "session.id > 100")
        case "removed": copy.rules[0] = Rule(name: "other", lines: ["if: session.id < 0"])
        case "off": copy.rules[0].lines.append("mode: off")
        default: return nil
        }
        return copy
    }

    /// All keys of a rule, with a further clause of its condition.
    private func completed(_ rule: Rule, and clause: String) -> [String] {
        completed(rule).map { $0.hasPrefix("if: ") ? "\($0) && \(clause)" : $0 }
    }

    private func completed(_ rule: Rule) -> [String] {
        var lines = rule.lines
        let name = rules.count > 1 ? "\(rule.name) " : ""
        let isSchedule = rule.has("schedule")
        if !rule.has("watch"), !isSchedule { lines.append("watch: session") }
        let watches = rule.has("watch") || !isSchedule
        if watches, !rule.has("if") { lines.append("if: session.status == \"failed\"") }
        if !rule.has("do") {
            let text =
                switch (watches, isSchedule) {
                case (true, false): "{{ session.id }} {{ episode.runs > 1 ? 'again' : 'on' }}"
                case (true, true): "{{ session.id }} on"
                case (false, _): "{{ date(slot.time, 'HH:mm') }}{{ slot.missed ? ' late' : '' }}"
                }
            lines.append("do: [{post: ops, text: \"\(name)\(text)\"}]")
        }
        if watches, !isSchedule, !rule.has("resolved") {
            lines.append("resolved: [{post: ops, text: \"\(name){{ session.id }} over\"}]")
        }
        return lines.filter { $0 != "resolved: none" }
    }

    /// The whole file.
    var text: String {
        let list = rules.map { rule in
            "  - name: \(rule.name)\n" + completed(rule).map { "    \($0)\n" }.joined()
        }
        return """
            zimmer: {url: "https://zimmer.example.com", api_key: {env: KEY}, limit: \(settings["limit"] ?? "{}")}
            channels: {ops: {adapter: recording, \(settings["ops"] ?? "")}, pager: {adapter: recording}}
            defaults: \(settings["defaults"] ?? "{}")
            notices: {channels: [ops]}
            rules:
            \(list.joined())
            """
    }

    func load(_ channels: [ChannelSchema]) throws -> RuleFile {
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: channels, now: Timestamp(seconds: 0))
        return try #require(file, "\(diagnostics.map(\.description).joined(separator: "\n"))\n\(text)")
    }
}

extension String {
    fileprivate func replacing(_ text: String, _ other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}

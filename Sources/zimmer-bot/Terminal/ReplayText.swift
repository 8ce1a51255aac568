import AdapterKit
import BotCore
import CEL
import Rules

extension ReplayReport {
    /// The lines of a list that people are shown; `--json` has all.
    private static let longest = 200

    func text(_ palette: Palette) -> String {
        var text = "\(from.wholeSeconds) to \(to.wholeSeconds), \(polls) polls\n"
        text += list(added.map { palette.good("+ \($0.line)") + $0.details })
        text += list(removed.map { palette.error("- \($0.line)") + $0.details })
        text += list(changed.map { palette.warning("~ \($0.now.line)") + $0.details })
        text += list(
            notReplayable.map { unclear in
                let change = unclear.hasHappened ? "happened" : "would happen"
                return palette.warning("? \(unclear.firing.line)") + "\n    "
                    + "\(change); \(unclear.reason)".printableLine + "\n"
            })
        for note in notes { text += palette.warning("? \(note.printableLine)") + "\n" }
        var table = Table(["rule", "runs then", "now", "messages then", "now", "writes then", "now"])
        for counts in rules {
            table.add(
                counts.rule, "\(counts.then.firings)", "\(counts.now.firings)", "\(counts.then.messages)",
                "\(counts.now.messages)", "\(counts.then.writes)", "\(counts.now.writes)")
        }
        text += table.text(palette)
        let changes = changed.isEmpty ? "" : "\(changed.count) changed, "
        let numbers = "\(added.count) added, \(removed.count) removed, \(changes)\(unchanged) unchanged"
        return text + numbers + (notReplayable.isEmpty ? "\n" : ", \(notReplayable.count) not replayable\n")
    }

    private func list(_ lines: [String]) -> String {
        let rest = lines.count - Self.longest
        return lines.prefix(Self.longest).joined() + (rest > 0 ? "… and \(rest) more (--json has all)\n" : "")
    }

    var json: JSONOutput {
        [
            "from": "\(from)", "to": "\(to)", "polls": .integer(Int64(polls)),
            "added": .array(added.map(\.json)), "removed": .array(removed.map(\.json)),
            "changed": .array(changed.map { ["then": $0.then.json, "now": $0.now.json] }),
            "unchanged": .integer(Int64(unchanged)),
            "not_replayable": .array(
                notReplayable.map {
                    ["run": $0.firing.json, "happened": .bool($0.hasHappened), "reason": .string($0.reason)]
                }),
            "rules": .array(
                rules.map { ["rule": .string($0.rule), "then": $0.then.json, "now": $0.now.json] }),
            "notes": .array(notes.map(JSONOutput.string)),
        ]
    }
}

extension ReplayReport.Counts {
    fileprivate var json: JSONOutput {
        [
            "runs": .integer(Int64(firings)), "messages": .integer(Int64(messages)), "writes": .integer(Int64(writes)),
        ]
    }
}

extension ReplayReport.Change {
    /// What it did and what it would have done, each on a line of its own, below.
    fileprivate var details: String {
        func lines(_ word: String, _ firing: Firing) -> String {
            (firing.deeds.isEmpty ? ["nothing"] : firing.deeds).map { "    \(word) \($0.printableLine)\n" }.joined()
        }
        return "\n" + lines("then:", then) + lines("now: ", now)
    }
}

extension Firing {
    fileprivate var line: String {
        let name = title.map { " \"\($0)\"" } ?? ""
        let part = part == .steps ? "" : " (\(part.word))"
        return "\(at.wholeSeconds) \(rule)\(part) \(subject)\(name)".printableLine
    }

    /// Each on a line of its own, below.
    fileprivate var details: String {
        "\n" + deeds.map { "    \($0.printableLine)\n" }.joined()
    }

    fileprivate var deeds: [String] { messages.map { "post \($0)" } + writes }

    fileprivate var json: JSONOutput {
        [
            "at": "\(at)", "rule": .string(rule), "part": .string(part.word), "subject": subject.json,
            "title": .optional(title), "messages": .array(messages.map(JSONOutput.string)),
            "writes": .array(writes.map(JSONOutput.string)),
        ]
    }
}

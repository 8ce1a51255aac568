import AdapterKit
import BotCore
import CEL
import Rules

extension ScenarioRun.Result {
    private static let longestTrace = 60

    /// One line for a test that passed; what went wrong, and what happened, for one that did not.
    func text(_ palette: Palette) -> String {
        guard !hasPassed else { return "\(palette.good("ok"))      \(test.name.printableLine)\n" }
        var lines = ["\(palette.error("FAILED"))  \(test.name.printableLine)"]
        for comparison in comparisons where !comparison.isGood {
            lines.append("  \(comparison.step.position): at \(comparison.step.at.compact) \(comparison.complaint)")
            for expectation in comparison.missing {
                let place = palette.faint("\(expectation.position)")
                lines.append("    \(palette.error("- " + expectation.source.printableLine))  \(place)")
            }
            for happening in comparison.unexpected {
                if let text = happening.asExpectation { lines.append("    " + palette.good("+ " + text)) }
            }
            if let hint = hint(comparison) { lines.append("    " + hint) }
        }
        lines.append("  what happened:")
        let happenings = self.happenings.filter(\.isTelling)
        let shown = happenings.prefix(Self.longestTrace)
        lines += shown.map { "    " + $0.traceLine(from: test.start, palette) }
        if happenings.isEmpty { lines.append("    " + palette.faint("nothing")) }
        if happenings.count > shown.count {
            lines.append("    " + palette.faint("… and \(happenings.count - shown.count) more"))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// What is missing may have happened in a step that expects nothing.
    private func hint(_ comparison: ScenarioRun.Comparison) -> String? {
        let steps = test.steps.filter { $0.expected == nil && $0.at < comparison.step.at }
        guard let before = steps.last, let missing = comparison.missing.first,
            let other = happenings.first(where: { $0.at <= test.start + before.at && missing.isMet(by: $0) })
        else { return nil }
        return "at \((other.at - test.start).compact) this happened, in a step without 'expect'"
    }
}

extension ScenarioRun.Comparison {
    fileprivate var complaint: String {
        let parts = [
            missing.isEmpty ? nil : "\(missing.count) expected did not happen",
            unexpected.isEmpty
                ? nil : "\(unexpected.count) happened that \(unexpected.count == 1 ? "is" : "are") not expected",
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension Happening {
    /// As it would stand under `expect`; nil for what cannot.
    var asExpectation: String? {
        var parts: [(String, String)] = rule.map { [("rule", $0)] } ?? []
        switch what {
        case .post(let message): parts.append(("post", message.channel))
        case .write(let request): parts.append((request.name, request.target.id.map(String.init) ?? "true"))
        case .held(let word, _): parts.append(("held", word))
        case .told(let telling, let text): parts.append((telling.rawValue, text.quoted))
        case .wish, .note: return nil
        }
        if let subject, subject.type != subject.id, subject.type != Slot.subjectType, !isWrite {
            parts.append((subject.type, subject.id))
        }
        for (name, value) in details where !value.goesWithoutSaying(name) {
            parts.append((name, value.written))
        }
        return "{" + parts.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    }

    private var isWrite: Bool {
        if case .write = what { true } else { false }
    }

    /// When, which rule, about what, and the values that decided.
    func traceLine(from start: Timestamp, _ palette: Palette) -> String {
        let about = [rule, subject?.description].compactMap { $0 }.joined(separator: ", ")
        var line = palette.faint((at - start).compact.padded(to: 8)) + " "
        line += asExpectation ?? "\(about): \(story)"
        if case .held(_, let reason) = what { line += "  " + palette.faint(reason.printableLine) }
        var notes = values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.text.printableLine)" }
        if let since, since < at { notes.append("since \((since - start).compact)") }
        if !notes.isEmpty { line += "  " + palette.faint(notes.joined(separator: ", ").clipped(to: 200)) }
        return line
    }

    private var story: String {
        switch what {
        case .note(.started, let text): "'\(text)' starts"
        case .note(.ended, let text): "the episode ends: \(text.printableLine)"
        case .note(let kind, let text): "\(kind.rawValue): \(text.printableLine)"
        case .wish(let word, ""): "\(word) by a person"
        case .wish(let word, let text): "\(word) by a person: \(text)"
        case .post, .write, .held, .told: ""
        }
    }

    /// It belongs into a trace: that a rule saw its first reading is of no interest where it matched nothing.
    var isTelling: Bool {
        if case .note(.firstSight, _) = what { false } else { true }
    }
}

extension Value {
    fileprivate func goesWithoutSaying(_ name: String) -> Bool {
        switch (name, self) {
        case ("urgency", .string("normal")), ("kind", .string("firing")), ("title", .string("")), ("for", _): true
        default: false
        }
    }

    /// As it is written in YAML.
    fileprivate var written: String {
        if case .string(let text) = self { text.isWord ? text : text.quoted } else { text }
    }
}

extension String {
    fileprivate var quoted: String { JSONOutput.string(self).text }

    fileprivate var isWord: Bool { !isEmpty && utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F } }

    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

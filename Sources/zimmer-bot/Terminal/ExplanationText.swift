import AdapterKit
import BotCore
import CEL
import Rules

extension Explanation {
    func text(_ history: ExplainCommand.History, _ palette: Palette) -> String {
        var page = Page(palette)
        let about = subject.map { " for \($0)" + (title.map { " \"\($0)\"" } ?? "") } ?? ""
        page.line("\(palette.strong((rule + about).printableLine)): \(summary.printableLine)")
        page.line(palette.faint(trigger))
        page.section("if") { page in
            guard let condition else { return page.line("  (none: always true)") }
            condition.add(to: &page, depth: 1)
        }
        if !named.isEmpty {
            page.section("names") { page in
                for name in named { page.line("  \(name.name) = \(name.value)", faint: name.source) }
                if onceIsUsed { page.line("  this value of 'once' is used up") }
            }
        }
        if let episode { page.section("episode") { episode.add(to: &$0, timers) } }
        if let slots { page.section("slots") { slots.add(to: &$0, history) } }
        if !blocks.isEmpty { page.section("in the way") { page in page.add(blocks) } }
        page.section(wouldRun ? "would do now" : "would do") { page in
            for (index, step) in steps.enumerated() { step.add(to: &page, number: index + 1) }
        }
        if limits.contains(where: { $0.used > 0 }) {
            page.section("limits") { page in
                for use in limits where use.used > 0 {
                    let free = use.freeAt.map { ", free at \($0.wholeSeconds)" } ?? ""
                    page.line("  \(use.name): \(use.used) of \(use.bound) used\(free)")
                }
            }
        }
        page.add(history)
        return page.text
    }

    var named: [Named] { bindings + [key, once].compactMap(\.self) }
}

/// Lines of other people's text, each made harmless, in sections.
struct Page {
    private(set) var text = ""
    let palette: Palette

    init(_ palette: Palette) {
        self.palette = palette
    }

    /// - Parameter line: may hold colours, so other people's text in it has to be printable by now.
    mutating func line(_ line: String) { text += line + "\n" }

    mutating func line(_ line: String, faint rest: String) {
        let shown = rest.printableLine.clipped(to: 120)
        self.line(line.printableLine + (shown.isEmpty ? "" : "  " + palette.faint(shown)))
    }

    mutating func section(_ title: String, _ body: (inout Page) -> Void) {
        text += "\n\(title)\n"
        body(&self)
    }

    mutating func add(_ blocks: [Explanation.Block]) {
        for block in blocks {
            let until = block.until.map { ", until \($0.wholeSeconds)" } ?? ""
            line("  \(block.text)\(until)".printableLine)
        }
    }

    mutating func add(_ history: ExplainCommand.History) {
        if !history.waiting.isEmpty {
            section("messages that wait") { page in
                for post in history.waiting.prefix(20) { page.line("  \(post.line)".printableLine) }
            }
        }
        guard !history.runs.isEmpty else { return }
        section("runs before, the newest first") { page in
            for run in history.runs { page.line("  \(run.line)".printableLine) }
        }
    }
}

extension Clause {
    fileprivate static let longest = 160

    /// A line for the clause, what it read below it, then its parts.
    func add(to page: inout Page, depth: Int) {
        let indent = String(repeating: "  ", count: depth)
        let palette = page.palette
        if let join, !parts.isEmpty {
            page.line("\(indent)\(word(palette))  \(join == .and ? "all of" : "one of")\(mark(palette))")
            for part in parts { part.add(to: &page, depth: depth + 1) }
            return
        }
        page.line("\(indent)\(word(palette))  \(text.printableLine.clipped(to: Self.longest))\(mark(palette))")
        if let reason { page.line("\(indent)    ", faint: isAbsorbed ? "made up for: \(reason)" : reason) }
        for read in reads { page.line("\(indent)    ", faint: "\(read.path) = \(read.value)") }
    }

    private func word(_ palette: Palette) -> String {
        let word =
            switch outcome {
            case .holds: "true"
            case .fails: "false"
            case .absent: "does not apply"
            case .cannotTell: "cannot tell"
            case .notReached: "not reached"
            }
        return outcome == .cannotTell ? palette.warning(word) : word
    }

    private func mark(_ palette: Palette) -> String {
        if isDecisive { return palette.strong("  <- decides") }
        guard let alone else { return "" }
        return palette.faint("  (by itself: \(alone.rawValue.replacing("_", with: " ")))")
    }
}

extension Explanation.EpisodeState {
    fileprivate func add(to page: inout Page, _ timers: [Explanation.Timer]) {
        page.line("  \(phase.rawValue), holds since \(since.wholeSeconds)" + (number > 0 ? ", number \(number)" : ""))
        if let ranAt { page.line("  'do' ran \(runs == 1 ? "once" : "\(runs) times"), last at \(ranAt.wholeSeconds)") }
        if let ackedBy { page.line("  acknowledged by \(ackedBy)".printableLine) }
        if let frozenSince { page.line("  timers stand still since \(frozenSince.wholeSeconds)") }
        for timer in timers { page.line("  \(timer.name) \(timer.length.brief): up at \(timer.end.wholeSeconds)") }
    }
}

extension Explanation.Slots {
    func add(to page: inout Page, _ history: ExplainCommand.History) {
        let times = next.isEmpty ? "none" : next.map { "\($0.wholeSeconds)" }.joined(separator: ", ")
        page.line("  next: \(times)")
        if jitter > .zero { page.line("  of that 'jitter': \(jitter.brief)") }
        if let missing { page.line("  due, and waits: \(missing)".printableLine) }
        if let last = history.runs.first { page.line("  last run: \(last.line)".printableLine) }
        if let missed = history.missed { page.line("  last not run: \(missed.slot), \(missed.reason)".printableLine) }
    }
}

extension StepPreview {
    fileprivate func add(to page: inout Page, number: Int) {
        let condition = condition.map { "if \($0)\(skipped == nil ? "" : " (no)")" } ?? ""
        let note = [condition, skipped.map { "passed over: \($0)" } ?? ""].filter { !$0.isEmpty }
        page.line("  \(number). \(text.printableLine.clipped(to: 200))", faint: note.joined(separator: "; "))
    }
}

extension Story.Run {
    var line: String {
        let reason = reason.map { ": \($0)" } ?? ""
        return "\(startedAt.wholeSeconds) \(subject), episode \(episode), \(part): \(state)\(reason)"
    }
}

extension Story.Post {
    var line: String {
        var why = [hold, suppressedBy.map { "\($0) is active" }, reason].compactMap(\.self).joined(separator: ", ")
        if suppressedBy == nil, let releaseAt { why += " until \(releaseAt.wholeSeconds)" }
        return "\(id) to \(channel)" + (why.isEmpty ? "" : ": \(why)")
    }
}

import AdapterKit
import BotCore
import CEL
import Rules

extension Story {
    func text(_ palette: Palette) -> String {
        var page = Page(palette)
        guard let run else {
            page.line("\(palette.strong("\(id)")): belongs to no single run")
            page.section("messages") { page in for post in posts { post.tell(to: &page, asked: id) } }
            return page.text
        }
        let reason = run.reason.map { ": \($0)" } ?? ""
        let head = "\(run.rule), \(run.subject), episode \(run.episode), \(run.part)".printableLine
        page.line("\(palette.strong("\(id)")): \(head)")
        page.line("started \(run.startedAt.wholeSeconds); \(run.state)\(reason)".printableLine)
        if let start {
            page.section("decided on") { $0.add(start) }
        }
        if run.once != nil || run.anchor != nil {
            page.section("tied to") { page in
                if let once = run.onceText { page.line("  once: \(once)".printableLine) }
                if let anchor = run.anchor { page.line("  pull request: \(anchor)".printableLine) }
            }
        }
        if !calls.isEmpty { page.section("calls") { page in for call in calls { call.tell(to: &page, asked: id) } } }
        if !posts.isEmpty { page.section("messages") { page in for post in posts { post.tell(to: &page, asked: id) } } }
        page.section("what happened") { page in
            for entry in own where entry.id != start?.id {
                page.line("  \(entry.at.wholeSeconds) \(entry.kind)  \(entry.detail)".printableLine.clipped(to: 300))
                if entry.clause != nil { page.addClauses(entry) }
            }
        }
        return page.text
    }
}

extension Page {
    fileprivate mutating func add(_ entry: AuditStore.Entry) {
        if let clause = entry.clause { return clause.add(to: &self, depth: 1) }
        line("  ", faint: entry.evidence ?? "the values were not kept")
    }

    fileprivate mutating func addClauses(_ entry: AuditStore.Entry) {
        entry.clause?.add(to: &self, depth: 3)
    }
}

extension Story.Call {
    fileprivate func tell(to page: inout Page, asked: ActionID) {
        let mark = id == asked ? "* " : "  "
        let tries = attempts == 1 ? "" : ", \(attempts) attempts"
        page.line("\(mark)\(id) step \(step + 1): \(request)".printableLine.clipped(to: 300))
        let end = endedAt.map { " at \($0.wholeSeconds)" } ?? ""
        let detail = detail.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
        page.line("    intended \(intendedAt.wholeSeconds); \(state)\(end)\(tries)\(detail)".printableLine)
    }
}

extension Story.Post {
    fileprivate func tell(to page: inout Page, asked: ActionID) {
        let mark = id == asked ? "* " : "  "
        let place = step.map { " step \($0 + 1)" } ?? ""
        page.line("\(mark)\(id)\(place): \(kind) to \(channel): \(text)".printableLine.clipped(to: 300))
        let end = endedAt.map { " at \($0.wholeSeconds)" } ?? ""
        var words = "created \(createdAt.wholeSeconds); \(state)\(end), \(attempts) retries"
        if let receipt { words += ", receipt \(receipt)" }
        if let reason { words += ": \(reason)" }
        if state == "waiting", let hold { words += ", held (\(suppressedBy.map { "\($0) is active" } ?? hold))" }
        page.line("    \(words)".printableLine)
    }
}

import AdapterKit
import BotCore
import CEL
import Rules

extension RuleOverview {
    private static let mostRows = 50
    private static let mostPerClause = 8

    func text(_ history: ExplainCommand.History, _ palette: Palette) -> String {
        var page = Page(palette)
        let running = slots == nil ? "" : ", \(matching.count) for which a slot would run now"
        page.line("\(palette.strong(rule)): \(total) looked at, \(rows.count) with an episode\(running)")
        page.line(palette.faint(trigger))
        if let slots { page.section("slots") { slots.add(to: &$0, history) } }
        if !blocks.isEmpty { page.section("in the way") { $0.add(blocks) } }
        if !rows.isEmpty {
            page.section("going on") { page in
                var table = Table(["  SUBJECT", "PHASE", "SINCE", "", "TITLE"])
                for row in rows.prefix(Self.mostRows) {
                    table.add(
                        "  \(row.subject)", row.phase.rawValue, "\(row.since.wholeSeconds)",
                        row.wouldRun ? "would run now" : row.note ?? "", row.title ?? "")
                }
                page.line(String(table.text(palette).dropLast()))
                page.addRest(rows.count - Self.mostRows)
            }
        }
        if !matching.isEmpty {
            page.section("a slot would run now for") { page in
                for match in matching.prefix(Self.mostRows) {
                    page.line("  \(match.subject)\(match.title.map { " \"\($0)\"" } ?? "")".printableLine)
                }
                page.addRest(matching.count - Self.mostRows)
            }
        }
        if !near.isEmpty {
            page.section("one clause away") { page in
                for (clause, subjects) in near.byClause {
                    page.line("  but for \(clause)".printableLine.clipped(to: 200))
                    page.add(subjects, atMost: Self.mostPerClause)
                }
            }
        }
        if !counts.isEmpty {
            page.section("kept away by") { page in
                for count in counts { page.line("  \(count.count)  \(count.clause)".printableLine.clipped(to: 200)) }
            }
        }
        if !untold.isEmpty {
            page.section("cannot be told") { page in
                for one in untold.prefix(Self.mostRows) { page.line("  \(one.subject): \(one.reason)".printableLine) }
                page.addRest(untold.count - Self.mostRows)
            }
        }
        page.add(history)
        return page.text
    }
}

extension [RuleOverview.Near] {
    /// The clause that keeps the fewest away first: one that keeps everything away says little.
    var byClause: [(clause: String, near: [RuleOverview.Near])] {
        Dictionary(grouping: self, by: \.clause.text).sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
            .map { ($0.key, $0.value) }
    }
}

extension Page {
    /// Each on a line, with what its clause read.
    mutating func add(_ near: [RuleOverview.Near], atMost count: Int) {
        for near in near.prefix(count) {
            let title = near.title.map { " \"\($0)\"" } ?? ""
            line("    \(near.subject)\(title)", faint: near.clause.why)
        }
        if near.count > count { line("    … and \(near.count - count) more") }
    }

    fileprivate mutating func addRest(_ count: Int) {
        if count > 0 { line("  … and \(count) more") }
    }
}

extension Clause {
    /// What it read, on one line.
    var why: String {
        let values = reads.map { "\($0.path) = \($0.value)" }.joined(separator: ", ")
        return [reason ?? "", values].filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

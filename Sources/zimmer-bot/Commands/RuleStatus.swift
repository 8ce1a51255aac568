import BotCore
import CEL
import Rules

/// `status --rules`: how each rule has fared.
struct RuleStatus {
    private var records: [RuleRecord]
    /// The rules file, where one was named.
    private var file: RuleFile?
    /// What the rules of the file missed.
    private var nearMisses: NearMissReport?

    static func run(_ path: String?, in context: CommandContext) throws -> ExitCode {
        let directory = try context.existingStateDirectory()
        let file = try path.map { try Configuration(path: $0, context: context).load() }
        let reader = try StateReader(directory)
        let records = try reader.rules(now: context.now())
        let status = RuleStatus(
            records: records, file: file, nearMisses: file.map { nearMisses(of: $0, in: directory, context) })
        if context.isJSON {
            try context.output.writeLine(status.json.text)
        } else {
            try context.output.write(status.text(context.output.resultPalette, now: context.now()))
            try context.printClockNote(of: reader)
        }
        return .success
    }

    private static func nearMisses(
        of file: RuleFile, in directory: StateDirectory, _ context: CommandContext
    ) -> NearMissReport {
        var bar = ProgressBar("reading the past", on: context.output)
        defer { bar.end() }
        return NearMissReport(file, in: directory) { bar.show($0) }
    }

    private func mode(_ name: String) -> String {
        guard let file else { return "" }
        return file.rules.first { $0.name == name }?.mode.rawValue ?? "removed"
    }

    /// Rules of the file that the bot has not decided yet, or never decides.
    private var unknown: [Rule] {
        let known = Set(records.map(\.name))
        return file?.rules.filter { !known.contains($0.name) } ?? []
    }

    private var silent: [RuleRecord] { records.filter { $0.matchedAt == nil } }

    private func text(_ palette: Palette, now: Timestamp) -> String {
        var table = Table(["RULE", "MODE", "MATCHED", "RUNS IN 7 D", "PENDING", "ACTIVE", "HELD", "NEXT", "LAST RUN"])
        for record in records {
            table.add(
                record.name, mode(record.name), record.matchedAt.map { "\($0.wholeSeconds)" } ?? "never",
                String(record.runsInWeek), String(record.pending), String(record.active), String(record.held),
                record.next, record.lastRun?.outcome ?? "")
        }
        for rule in unknown { table.add(rule.name, rule.mode.rawValue, "not known yet", "0", "0", "0", "0", "", "") }
        var page = Page(palette)
        page.line(String(table.text(palette).dropLast()))
        if !silent.isEmpty {
            page.section("never matched anything") { page in
                for record in silent { page.line("  \(record.name), known since \(record.knownSince.wholeSeconds)") }
            }
        }
        nearMisses?.add(to: &page, now: now)
        return page.text
    }

    private var json: JSONOutput {
        let known = records.map { record -> JSONOutput in
            [
                "name": .string(record.name), "mode": .optional(file == nil ? nil : mode(record.name)),
                "known_since": .time(record.knownSince), "matched_at": .time(record.matchedAt),
                "runs_in_week": .integer(Int64(record.runsInWeek)), "pending": .integer(Int64(record.pending)),
                "active": .integer(Int64(record.active)), "held": .integer(Int64(record.held)),
                "awaits_release": .bool(record.awaitsRelease), "paused_until": .time(record.pausedUntil),
                "next_slot": .time(record.nextSlot), "last_run": record.lastRun?.json ?? nil,
                "near_misses": nearMisses?.json(of: record.name) ?? nil,
            ]
        }
        let unknown = unknown.map { rule -> JSONOutput in
            [
                "name": .string(rule.name), "mode": .string(rule.mode.rawValue), "known_since": nil,
                "near_misses": nearMisses?.json(of: rule.name) ?? nil,
            ]
        }
        return ["rules": .array(known + unknown), "near_misses": nearMisses?.json ?? nil]
    }
}

extension RuleRecord {
    /// What comes next, or is in the way.
    fileprivate var next: String {
        if awaitsRelease { return "waits for 'release'" }
        if let pausedUntil { return "paused until \(pausedUntil.wholeSeconds)" }
        return nextSlot.map { "\($0.wholeSeconds)" } ?? ""
    }
}

extension Story.Run {
    fileprivate var outcome: String {
        "\(state) \(startedAt.wholeSeconds)\(reason.map { ": \($0)" } ?? "")"
    }
}

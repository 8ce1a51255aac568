import CEL
import Rules

// What this Zimmer is too old for: found out once, said once, stored with the status.
extension Ledger {
    /// What need not be asked for now.
    func lackingFeatures() -> Set<ServerFeature> { features.lacking(at: instant()) }

    /// Which Zimmer is read from now on.
    func begin(at address: String) { features.begin(at: address) }

    func note(_ feature: ServerFeature, isMissing: Bool) {
        features.note(feature, isMissing: isMissing, at: instant())
    }

    /// What the rows of a whole board say. An empty one says nothing.
    func note(features rows: [SessionRow]) {
        guard !rows.isEmpty else { return }
        var sent: SessionRow.Members = []
        for row in rows where sent != .all { sent.formUnion(row.members) }
        note(.visibility, isMissing: !sent.contains(.visibility))
        note(.goalChecks, isMissing: !sent.contains(.goalCheck))
    }

    /// What is missing that some rule needs.
    func featureCauses() -> [NoticeBook.Cause] {
        features.lacking.sorted { $0.rawValue < $1.rawValue }.compactMap { feature in
            let names = rules.needing(feature)
            guard !names.isEmpty else { return nil }
            let sentence = feature.sentence.prefix(1).uppercased() + feature.sentence.dropFirst()
            return NoticeBook.Cause(
                id: "feature:\(feature.rawValue)", text: sentence, subjects: names.map { "rule \($0)" },
                isSaidOnce: true)
        }
    }

    /// What the catalog says of the names in the rules.
    func note(catalog causes: [NoticeBook.Cause]) { catalogCauses = causes }

    /// Sessions and rows that are there and cannot be read.
    func rowCauses() -> [NoticeBook.Cause] {
        readers.sorted { $0.key < $1.key }.compactMap { name, state in
            guard state.skippedRows > 0 else { return nil }
            let what = name == "board" ? "sessions of the board" : "rows of '\(name)'"
            return NoticeBook.Cause(
                id: "rows:\(name)",
                text: "\(state.skippedRows) \(what) cannot be read, so nothing is decided about them; the others are")
        }
    }
}

extension RuleSet {
    /// Rules that decide, say or do something by what this Zimmer lacks, in their order.
    func needing(_ feature: ServerFeature) -> [String] {
        rules.filter { $0.rule.mode != .off && $0.needs(feature) }.map(\.name)
    }
}

extension PreparedRule {
    fileprivate func needs(_ feature: ServerFeature) -> Bool {
        switch feature {
        case .triggers, .backlog, .tools, .elicitations:
            return watchable.flatMap { ListingKind(rawValue: $0.name) }?.feature == feature
        case .conversation: return details.contains(.conversation)
        case .queue: return details.contains(.queue)
        case .goalChecks: return names("goal_check")
        case .visibility:
            let setsIt = (rule.steps + rule.resolved).contains { step in
                guard case .write(let write) = step.action else { return false }
                return write.kind.setsVisibility
            }
            return setsIt || ["visibility", "effective_visibility", "snoozed_until"].contains(where: names)
        }
    }

    private func names(_ field: String) -> Bool { references.contains { $0.path.contains(field) } }
}

extension Write.Kind {
    fileprivate var setsVisibility: Bool {
        switch self {
        case .snooze, .hide, .show: true
        default: false
        }
    }
}

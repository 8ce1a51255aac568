/// Rules each of which waits for the next one's end, and the last for the first one's: once all are active, what they have to
/// say stays held for as long as that lasts.
struct SuppressionCycle {
    private let rules: [RuleFacts]

    /// - Complexity: O(*n*): a rule waits for one other at most.
    static func all(among facts: [RuleFacts]) -> [SuppressionCycle] {
        // A dry run silences nobody.
        let live = Dictionary(facts.filter { $0.rule.mode == .live }.map { ($0.rule.name, $0) }) { first, _ in first }
        var seen: Set<String> = []
        return facts.compactMap { facts -> SuppressionCycle? in
            var path: [RuleFacts] = []
            var next = live[facts.rule.name]
            while let rule = next, seen.insert(rule.rule.name).inserted {
                path.append(rule)
                next = rule.rule.suppress.flatMap { live[$0] }
            }
            guard let closing = next, let start = path.firstIndex(where: { $0.rule.name == closing.rule.name })
            else { return nil }
            let cycle = SuppressionCycle(rules: Array(path[start...]))
            return cycle.mayBeActive ? cycle : nil
        }
    }

    /// Each with the one that it waits for.
    private var pairs: [(RuleFacts, RuleFacts)] {
        rules.indices.map { (rules[$0], rules[($0 + 1) % rules.count]) }
    }

    private var mayBeActive: Bool { pairs.allSatisfy { !$0.excludes($1) } }

    var warning: RuleAnalysis.Warning {
        let links = pairs.map { "'\($0.rule.name)' waits for '\($1.rule.name)'" }.joined(separator: ", ")
        let example = pairs.lazy.compactMap { $0.example(with: $1) }.first.map { ", as for \($0)" } ?? ""
        return RuleAnalysis.Warning(
            rule: rules[0].rule,
            message:
                "'suppress' goes round in a circle: \(links); while all are active\(example), none of their messages go"
        )
    }
}

extension RuleFacts {
    /// Both are never active for the same session, as far as that is certain.
    fileprivate func excludes(_ other: RuleFacts) -> Bool {
        guard session != nil, session == other.session, rule.keep == .zero, other.rule.keep == .zero else {
            return false
        }
        return !situations.isEmpty && !other.situations.isEmpty && common(with: other) == nil
    }

    /// A session for which both may be active.
    fileprivate func example(with other: RuleFacts) -> String? {
        guard let session, session == other.session else { return nil }
        return common(with: other).map { Example($0, of: session).text }
    }

    private func common(with other: RuleFacts) -> Situation? {
        for mine in situations {
            for theirs in other.situations {
                var both = mine
                if both.add(theirs) == nil { return both }
            }
        }
        return nil
    }
}

/// What is wrong with rules that load: those that never match, repeat another, or work against each other.
///
/// It warns only of what is certain as far as conditions can be reasoned about (`Cases`), and says nothing where they cannot:
/// a warning that is wrong once is not read again.
enum RuleAnalysis {
    struct Warning {
        /// Where it is shown.
        var rule: Rule
        var message: String
    }

    /// Of more rules only each by itself is looked at.
    private static let mostCompared = 300

    /// - Complexity: O(*n*²) in the number of rules, of which most pairs are told apart at once.
    static func warnings(about rules: [Rule]) -> [Warning] {
        let facts = rules.filter { $0.mode != .off }.map(RuleFacts.init)
        return facts.compactMap(\.neverMatches) + facts.compactMap { Restarting($0)?.warning } + pairs(of: facts)
    }
    private static func pairs(of facts: [RuleFacts]) -> [Warning] {
        let facts = facts.prefix(mostCompared)
        let signatures = facts.map { Signature(of: $0.rule) }
        var warnings: [Warning] = []
        for (index, second) in facts.enumerated() {
            for (earlier, first) in facts.prefix(index).enumerated() {
                if let undoing = Undoing(first, second) { warnings.append(undoing.warning) }
                guard signatures[earlier] == signatures[index] else { continue }
                let shadowing = Shadowing(second, by: first) ?? Shadowing(first, by: second)
                if let shadowing { warnings.append(shadowing.warning) }
            }
        }
        return warnings
    }
}

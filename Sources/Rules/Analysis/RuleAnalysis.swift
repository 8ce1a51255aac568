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

    /// The rules after these are each looked at by themselves only.
    private static let mostCompared = 300

    /// - Complexity: O(*n*²) in the number of rules, of which most pairs are told apart at once.
    static func warnings(about rules: [Rule]) -> [Warning] {
        let facts = rules.filter { $0.mode != .off }.map(RuleFacts.init)
        return facts.compactMap(\.neverMatches) + facts.compactMap { Restarting($0)?.warning } + pairs(of: facts)
            + SuppressionCycle.all(among: facts).map(\.warning)
    }

    /// Each rule with the first that it fights: of ten alike nobody wants to read forty-five warnings.
    private static func pairs(of facts: [RuleFacts]) -> [Warning] {
        let facts = facts.prefix(mostCompared)
        let signatures = facts.map { Signature(of: $0.rule) }
        return facts.indices.flatMap { index -> [Warning] in
            let second = facts[index]
            let undoing = facts[..<index].lazy.compactMap { Undoing($0, second) }.first
            let alike = facts[..<index].indices.lazy.filter { signatures[$0] == signatures[index] }
            let shadowing = alike.compactMap { earlier in
                Shadowing(second, by: facts[earlier]) ?? Shadowing(facts[earlier], by: second)
            }.first
            return [undoing?.warning, shadowing?.warning].compactMap(\.self)
        }
    }
}

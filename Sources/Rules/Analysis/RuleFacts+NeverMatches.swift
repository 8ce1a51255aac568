extension RuleFacts {
    /// A condition that nothing can meet.
    var neverMatches: RuleAnalysis.Warning? {
        guard let conflict else { return nil }
        let parts =
            conflict.first == conflict.second
            ? "`\(conflict.first)` is never so" : "`\(conflict.first)` and `\(conflict.second)` are never both so"
        return RuleAnalysis.Warning(rule: rule, message: "'\(rule.name)' can never match: \(parts)")
    }
}

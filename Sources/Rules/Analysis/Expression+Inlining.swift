import CEL

extension Expression {
    /// More is not worth the time of whoever waits for the rules to be read.
    private static let mostNodes = 2_000
    private static let deepest = 150

    /// The condition of a rule with the names of its `let` replaced by what they stand for; nil where that gets too large.
    static func condition(of rule: Rule) -> Expression? {
        guard let condition = rule.condition else { return Expression(.literal(.bool(true)), at: 0..<0) }
        var meanings: [String: Expression] = [:]
        for binding in rule.bindings {
            guard let tree = rule.environment.parse(binding.program.source)?.inlining(meanings, in: rule) else {
                return nil
            }
            meanings[binding.name] = tree
        }
        return rule.environment.parse(condition.source)?.inlining(meanings, in: rule)
    }

    private func inlining(_ meanings: [String: Expression], in rule: Rule) -> Expression? {
        let inlined = replacingNames { name, isBelowMacro in
            guard let meaning = meanings[name] else { return nil }
            // Below a macro the name stays, marked, as another rule may mean something else by it.
            return isBelowMacro
                ? Expression(.identifier("\(name)@\(rule.name)", isRooted: false), at: meaning.range) : meaning
        }
        var left = Self.mostNodes
        return inlined.depth <= Self.deepest && inlined.fits(&left) ? inlined : nil
    }

    private func fits(_ left: inout Int) -> Bool {
        left -= 1
        guard left > 0 else { return false }
        for child in kind.children where !child.fits(&left) { return false }
        return true
    }
}

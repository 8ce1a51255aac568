extension Memory {
    /// What is left of it in a process that begins on what the last one stored.
    package mutating func restart() {
        for (name, rule) in rules {
            // Of a dry run nothing is stored.
            rules[name] = rule.isDryRun ? nil : rule.stored
        }
        resume()
    }
}

extension RuleMemory {
    fileprivate var stored: RuleMemory {
        var stored = self
        stored.untold = [:]
        stored.unreadable = nil
        stored.toldAt = nil
        return stored
    }
}

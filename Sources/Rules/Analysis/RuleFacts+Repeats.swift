import CEL

extension RuleFacts {
    /// It may run again for a subject on which nobody has acted, each time that its condition begins to hold.
    ///
    /// True also where `once` reads what the rule's own writes move.
    var repeats: Bool {
        guard case .value(let once) = rule.once else { return true }
        guard let session, let effects else { return false }
        var moved = effects.changed
        if effects.prompts { moved.insert("\(session).status_since") }
        return once.references.contains { moved.contains($0.text) }
    }
}

package import CEL

/// Rules that a person paused.
extension Memory {
    /// Until when a rule is paused; nil when it is not.
    package func pause(of rule: String, at now: Timestamp) -> Timestamp? {
        guard let until = rules[rule]?.pausedUntil, until > now else { return nil }
        return until
    }

    /// For as long as nobody says otherwise.
    package static let forGood = Timestamp(seconds: 253_402_300_799)
}

extension Draft {
    /// Lets rules go on whose pause is over.
    mutating func endPauses() {
        for (name, own) in memory.rules {
            guard let until = own.pausedUntil else { continue }
            if until <= now {
                memory.rules[name]?.pausedUntil = nil
                note(.resumed, "the pause is over", of: name)
            } else if until < Memory.forGood {
                decision.wake(after: until - now)
            }
        }
    }
}

extension WatchDecider {
    var isPaused: Bool { own.pausedUntil.map { $0 > now } ?? false }
}

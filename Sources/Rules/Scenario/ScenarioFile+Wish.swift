extension ScenarioFile {
    /// What a person asks of the bot, as with the command of that name.
    package enum Wish: Hashable, Sendable {
        case release(rule: String)
        /// For good where no time is given.
        case pause(rule: String, for: Duration?)
        case resume(rule: String)
        case run(rule: String)
        /// Nil stands for all rules, and for all that a rule is active for.
        case acknowledge(rule: String?, SubjectID?)
        /// For no time: ends it.
        case mute(for: Duration)
        /// The answer to what a rule asks with `confirm`: about one subject, or all.
        case answer(rule: String, SubjectID?, isYes: Bool)
    }

    /// What Zimmer makes of writes.
    package enum WriteFate: String, CaseIterable, Sendable {
        /// It does them, and says so.
        case done
        /// It says no: trying again would not help.
        case refused
        /// It cannot just now: nothing is done, and another try is worth it.
        case unavailable
        /// No answer comes, and nothing of the write is found afterwards.
        case lost
        /// No answer comes, but the write was done, as is seen afterwards.
        case found
    }
}

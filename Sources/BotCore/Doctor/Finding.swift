/// One thing that `doctor` looked at.
package struct Finding: Hashable, Sendable {
    package enum Grade: String, Hashable, Sendable, CaseIterable {
        case ok
        /// Worth knowing; nothing has to be done.
        case note
        /// The bot runs; something is better done about it.
        case warning
        /// The bot cannot do its work like this.
        case problem
    }

    /// `zimmer`, `credentials`, `sign-in`, `clock`, `features`, `channel ops`, `rules`, `state`, `secrets`, `times`
    package var area: String
    package var grade: Grade
    package var text: String
    /// What a person can do; nil where there is nothing to do.
    package var advice: String?

    package init(_ area: String, _ grade: Grade, _ text: String, advice: String? = nil) {
        self.area = area
        self.grade = grade
        self.text = text
        self.advice = advice
    }
}

package import Rules

/// What would be done now, and what is held.
package struct Plan: Sendable {
    package struct Step: Sendable {
        package var rule: String
        package var subject: SubjectID
        /// `post ops: …`, `snooze session 7 until …`
        package var what: String
    }

    package struct Held: Sendable {
        package var rule: String
        package var subject: SubjectID
        package var reason: String
    }

    package var steps: [Step] = []
    package var held: [Held] = []
    /// Why Zimmer could not be read, so that the rest means little.
    package var problem: String?
}

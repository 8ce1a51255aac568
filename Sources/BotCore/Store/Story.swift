package import CEL
package import Rules

/// All that is known of one run: what started it, the calls that it made, its messages, and how it ended.
package struct Story: Sendable {
    package struct Call: Hashable, Sendable {
        package var id: ActionID
        package var step: Int
        /// `snooze session 7 until …`
        package var request: String
        /// `attempting`, `retrying`, `done`, `refused`, `unknown`, `withdrawn`, `gave_up`
        package var state: String
        package var attempts: Int
        package var detail: String?
        package var intendedAt: Timestamp
        package var endedAt: Timestamp?
    }

    package struct Post: Hashable, Sendable {
        package var id: ActionID
        /// Nil where it stands for several.
        package var step: Int?
        package var channel: String
        package var kind: String
        package var text: String
        /// `waiting`, `delivered`, `dead`, `folded`
        package var state: String
        package var attempts: Int
        /// Why it waits or was given up.
        package var reason: String?
        package var receipt: String?
        package var createdAt: Timestamp
        package var endedAt: Timestamp?
        /// `quiet`, `group` or `suppress`, while it is held.
        package var hold: String?
        package var releaseAt: Timestamp?
        package var suppressedBy: String?
    }

    package struct Run: Hashable, Sendable {
        package var rule: String
        package var subject: SubjectID
        package var episode: Int
        /// `do`, `repeat 2`, `resolved`
        package var part: String
        /// Index of the step that is next.
        package var step: Int
        package var state: String
        package var reason: String?
        package var startedAt: Timestamp
        package var stepSince: Timestamp
        package var waitUntil: Timestamp?
        package var once: String?
        /// The subject's newest pull request as it was decided.
        package var anchor: String?
    }

    /// What was asked about.
    package var id: ActionID
    /// Nil of a message by the bot itself, or one that stands for several.
    package var run: Run?
    package var calls: [Call] = []
    package var posts: [Post] = []
    /// What was written down of the episode, oldest first.
    package var trail: [AuditStore.Entry] = []
}

extension Story.Run {
    /// The value of `once` without what tells its type.
    package var onceText: String? {
        guard let once else { return nil }
        let text = once.dropFirst(2)
        guard once.hasPrefix("t:"), let seconds = text.split(separator: ".").first.flatMap({ Int64($0) }) else {
            return String(text)
        }
        return "\(Timestamp(seconds: seconds))"
    }
}

extension Story {
    /// The line with what decided.
    package var start: AuditStore.Entry? {
        guard let run else { return nil }
        return trail.last { $0.kind == "started" && $0.detail == run.part && $0.at <= run.startedAt }
            ?? trail.first { $0.kind == "started" && $0.detail == run.part }
    }

    /// The lines of the run itself: other parts of the episode are other stories.
    package var own: [AuditStore.Entry] {
        guard let run else { return trail }
        let others = Set(trail.filter { $0.kind == "started" && $0.detail != run.part }.map(\.id))
        return trail.filter { $0.at >= run.startedAt && !others.contains($0.id) }
    }
}

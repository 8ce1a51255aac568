package import CEL

/// When a `schedule:` rule runs.
package struct CronSchedule: Sendable {
    /// What happens to slots that passed while the bot was down.
    package enum Missed: String, Sendable { case skip, once, all }

    /// What is due of a schedule.
    package struct Due: Hashable, Sendable {
        /// Slots to run, oldest first.
        package var slots: [Slot]
        /// Slots that are over and do not run any more.
        package var skipped: [Timestamp]
        /// The first slot after now.
        package var next: Timestamp?
    }

    package func next(after time: Timestamp, in zone: String) -> Timestamp? {
        nil
    }

    package func due(from next: Timestamp, now: Timestamp, in zone: String, missed: Missed) -> Due {
        Due(slots: [], skipped: [], next: nil)
    }
}

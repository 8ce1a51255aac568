/// When a `schedule:` rule runs.
package struct CronSchedule: Sendable {
    /// What happens to slots that passed while the bot was down.
    package enum Missed: String, Sendable { case skip, once, all }
}

/// What else can be said of a run or a rule than a message or a write, mostly by the words of the audit trail. Each comes
/// with a text that says more.
package enum Telling: String, Sendable, CaseIterable {
    /// A run ended before its end, for a reason that lies in the world.
    case withdrawn
    /// Zimmer said no to a write.
    case refused
    /// A write had no effect, and is tried again.
    case retrying
    /// Whether a write was done is not known, so it is never repeated.
    case unknown
    /// A write was tried, or waited for, as long as the rules allow.
    case gaveUp = "gave_up"
    /// A step was passed over.
    case skipped
    case cannotTell = "cannot_tell"
    /// What a dry run would do.
    case would
    /// A slot passed without a run.
    case missed
    /// What the bot says about itself.
    case notice
    /// What a person asked for that cannot be done.
    case declined

    /// It is how a write ended, or what a step of the test came to: a test that leaves it out did not see it.
    package var isObligatory: Bool {
        switch self {
        case .refused, .unknown, .declined: true
        case .withdrawn, .retrying, .gaveUp, .skipped, .cannotTell, .would, .missed, .notice: false
        }
    }

    /// What of its text can be asked for.
    var hint: String {
        switch self {
        case .withdrawn, .gaveUp, .skipped: "a part of the reason"
        case .refused, .retrying, .unknown: "a part of the write or of the reason"
        case .cannotTell: "a part of the reason: stale, failed"
        case .would: "a part of what a dry run says"
        case .missed: "the slot or a part of the reason"
        case .notice: "a part of the notice"
        case .declined: "a part of the answer"
        }
    }
}

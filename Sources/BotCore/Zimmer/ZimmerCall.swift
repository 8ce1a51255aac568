/// A call of Zimmer's API that this bot can make. The client lets through only those it was given.
package enum ZimmerCall: String, CaseIterable, Hashable, Sendable {
    case board, session, notifications, health, costs, queue, conversation, logs
    case elicitations, triggers, backlog, tools, configs
    /// Whether it lives, and what triggers a plugin's key opens: for `doctor`.
    case up
    case pluginTriggers = "plugin_triggers"

    case followUp = "follow_up"
    case start, restart, pause, sleep
    case startNow = "start_now"
    case refresh, archive, unarchive, visibility, set, notes, favorite, heartbeat, model, log, push
    case markRead = "mark_read"
    case dismiss
    case markAllRead = "mark_all_read"
    case trigger, invoke, answer
    /// Carries a person's word: `ActingClient` alone makes it.
    case authorizeMerge = "authorize_merge"
    case retryFailed = "retry_failed"
    case cleanUpProcesses = "cleanup_processes"
    case enterRecovery = "enter_recovery"
    case exitRecovery = "exit_recovery"
    case backfillCosts = "backfill_costs"

    /// Calls that change nothing.
    package static let reads: Set<ZimmerCall> = [
        .board, .session, .notifications, .health, .costs, .queue, .conversation, .logs, .elicitations, .triggers,
        .backlog, .tools, .configs,
    ]

    /// Calls that change nothing and only `doctor` makes.
    package static let diagnoses: Set<ZimmerCall> = [.up, .pluginTriggers]

    /// The calls that a step of the rules makes.
    package static func calls(of step: String) -> Set<ZimmerCall> {
        switch step {
        case "snooze", "hide", "show": [.visibility]
        case "note": [.notes]
        // One that was made and never began is given another push.
        case "start": [.start, .restart]
        default: ZimmerCall(rawValue: step).map { reads.contains($0) ? [] : [$0] } ?? []
        }
    }
}

/// A call of Zimmer's API that this bot can make. The client lets through only those it was given.
package enum ZimmerCall: String, CaseIterable, Hashable, Sendable {
    case board, session, notifications, health, costs, queue, conversation, logs
    case elicitations, triggers, backlog, tools
    case followUp = "follow_up"
    case visibility, archive, notes, log, favorite

    /// Calls that change nothing.
    package static let reads: Set<ZimmerCall> = [
        .board, .session, .notifications, .health, .costs, .queue, .conversation, .logs, .elicitations, .triggers,
        .backlog, .tools,
    ]
}

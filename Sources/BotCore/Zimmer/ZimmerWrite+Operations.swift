package import Rules

/// What is asked of the inbox, of triggers and of Zimmer as a whole.
extension ZimmerWrite {
    package static func markRead(notification: Int64) -> Self {
        Self(.markRead, .patch, ["notifications", String(notification), "mark_read"])
    }

    /// Zimmer refuses one that is unread; a repeat finds none.
    package static func dismiss(notification: Int64) -> Self {
        Self(.dismiss, .delete, ["notifications", String(notification), "dismiss"])
    }

    package static func markAllRead() -> Self {
        Self(.markAllRead, .patch, ["notifications", "mark_all_read"])
    }

    /// Turns a trigger on or off, whatever it was: read before, verify after. One that failed is turned on.
    package static func toggle(trigger: Int64) -> Self {
        Self(.trigger, .post, ["triggers", String(trigger), "toggle"])
    }

    /// Fires a trigger, a disabled one too: starts a session.
    package static func invoke(trigger: Int64, variables: [WireMember]) -> Self {
        let body = JSONText.object([("variables", .object(variables.map(\.json)))])
        return Self(.invoke, .post, ["triggers", String(trigger), "invoke"], body)
    }

    /// A person's answer to a question of a tool.
    ///
    /// - Parameter action: `accept`, `decline` or `cancel`; only the first takes a content.
    package static func respond(elicitation: Int64, action: String, content: [WireMember]) -> Self {
        var body = [("action_type", JSONText.string(action))]
        if action == "accept" { body.append(("content", .object(content.map(\.json)))) }
        return Self(
            .answer, .patch, ["elicitations", String(elicitation), "respond"], .object(body))
    }

    /// Starts failed sessions again, these and no others. Once in 30 seconds.
    package static func retry(sessions: [Int64]) -> Self {
        let body = JSONText.object([("session_ids", .array(sessions.map { .int($0) }))])
        return Self(.retryFailed, .post, ["health", "retry_sessions"], body)
    }

    /// Ends processes that belong to no session. Once in 30 seconds.
    package static func cleanUpProcesses() -> Self {
        Self(.cleanUpProcesses, .post, ["health", "cleanup_processes"])
    }

    /// Halts all queues but that of agents, for a time; asked again it lasts longer.
    ///
    /// - Parameter minutes: 5 to 240; 60 where none are named.
    package static func enterRecovery(reason: String, minutes: Int64?) -> Self {
        let body = [("reason", JSONText.string(reason))] + (minutes.map { [("ttl_minutes", .int($0))] } ?? [])
        return Self(
            .enterRecovery, .post, ["health", "enter_queue_recovery_mode"], .object(body))
    }

    package static func exitRecovery() -> Self {
        Self(.exitRecovery, .post, ["health", "exit_queue_recovery_mode"])
    }

    /// Has the costs ledger swept.
    package static func backfillCosts() -> Self {
        Self(.backfillCosts, .post, ["costs", "backfill"])
    }
}

import DemoZimmer
import Rules
import Testing

/// A write that a rule can ask for, and how the server shows how often it took effect: one line for each in `all`.
struct WriteCase: Sendable, CustomTestStringConvertible {
    /// The step, as in a rules file.
    let step: String
    /// Its call.
    let method: String
    let path: String
    var watch = "session"
    /// When the rule's condition holds; by itself it does while session 7 rests.
    var condition = #"session.status == "needs_input""#
    /// It says how something is to be, so asking for it again does no harm: it always comes about in the end.
    var isState = true
    /// Where it took effect that is found out in the end; else it may be `unknown`.
    var isFound = true
    /// What a person has to allow, if any has to.
    var confirmed: (@Sendable (ZimmerState) -> WriteRequest)?
    /// In place of the step's own, where only rules that a person calls may name it.
    var replacement: Write.Kind?
    var prepare: @Sendable (inout ZimmerState) -> Void = { _ in }
    /// How often it took effect: one is what was asked for.
    let effects: @Sendable (DemoServer) -> Int

    var testDescription: String { replacement.map { Write(kind: $0).name } ?? step }
    var route: RequestPattern { RequestPattern(method, path) }
}

extension WriteCase {
    static let all: [WriteCase] = [
        WriteCase(
            step: #"follow_up: {prompt: "Go on."}"#, method: "POST", path: "/api/v1/sessions/*/follow_up",
            isState: false, effects: told("Go on.")),
        WriteCase(
            step: #"follow_up: {prompt: "Wait for me."}"#, method: "POST", path: "/api/v1/sessions/*/follow_up",
            condition: #"session.status == "running""#, isState: false,
            prepare: { $0.edit(7) { $0.status = .running } }, effects: told("Wait for me.")),
        WriteCase(
            step: #"log: {text: "reminded", level: info}"#, method: "POST", path: "/api/v1/sessions/*/logs",
            isState: false, effects: { $0.state.logs.count { $0.content.hasSuffix("reminded") } }),
        WriteCase(
            step: "snooze: {for: 7d}", method: "PATCH", path: "/api/v1/sessions/*/visibility",
            // Another end is another effect.
            effects: { Set(applied(.visibility, on: $0).map(\.request.body)).count }),
        WriteCase(
            step: #"snooze: {until: "monday 09:00"}"#, method: "PATCH", path: "/api/v1/sessions/*/visibility",
            effects: { Set(applied(.visibility, on: $0).map(\.request.body)).count }),
        WriteCase(
            step: "hide", method: "PATCH", path: "/api/v1/sessions/*/visibility",
            condition: #"session.status == "needs_input" && session.effective_visibility == "visible""#,
            effects: session { $0.visibility == .hidden }),
        WriteCase(
            step: "show", method: "PATCH", path: "/api/v1/sessions/*/visibility",
            condition: #"session.status == "needs_input" && session.effective_visibility == "hidden""#,
            prepare: { $0.edit(7) { $0.visibility = .hidden } }, effects: session { $0.visibility == .visible }),
        WriteCase(
            step: "archive", method: "POST", path: "/api/v1/sessions/*/archive",
            effects: session { $0.status == .archived }),
        WriteCase(
            // Of another session, as one in the trash is not watched.
            step: "mark_read: {id: 8}", method: "POST", path: "/api/v1/sessions/*/unarchive",
            condition: "session.id == 7", replacement: .unarchive,
            prepare: { state in
                state.addSession(id: 8, title: "Upgrade")
                state.archive(8)
            }, effects: { $0.state.sessions[8]?.status == .archived ? 0 : 1 }),
        WriteCase(
            step: #"note: {append: "seen"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "old" } }, effects: { lines("seen", of: $0) }),
        WriteCase(
            // What it appends is there already, from another time.
            step: #"note: {append: "seen again"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "old\nseen again" } }, effects: { lines("seen again", of: $0) - 1 }),
        WriteCase(
            // The notes end with these letters, but not with this line.
            step: #"note: {append: "een"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "never seen" } }, effects: { lines("een", of: $0) }),
        WriteCase(
            step: #"note: {replace: "seen"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "old" } }, effects: session { $0.notes == "seen" }),
        WriteCase(
            step: "favorite: true", method: "POST", path: "/api/v1/sessions/*/toggle_favorite",
            effects: calls("POST", "/api/v1/sessions/*/toggle_favorite")),
        WriteCase(
            step: "favorite: false", method: "POST", path: "/api/v1/sessions/*/toggle_favorite",
            prepare: { $0.edit(7) { $0.favorited = true } },
            effects: calls("POST", "/api/v1/sessions/*/toggle_favorite")),
        WriteCase(
            step: #"start: {agent_root: widgets, prompt: "Look", title: Helper}"#, method: "POST",
            path: "/api/v1/sessions", effects: { $0.state.sessions.all.count { $0.title == "Helper" } }),
        WriteCase(
            step: "restart", method: "POST", path: "/api/v1/sessions/*/restart",
            condition: #"session.status == "failed""#, prepare: { $0.edit(7) { $0.status = .failed } },
            effects: calls("POST", "/api/v1/sessions/*/restart")),
        WriteCase(
            step: "retry_failed", method: "POST", path: "/api/v1/health/retry_sessions",
            condition: #"session.status == "failed""#, prepare: { $0.edit(7) { $0.status = .failed } },
            effects: calls("POST", "/api/v1/health/retry_sessions")),
        WriteCase(
            step: "pause", method: "POST", path: "/api/v1/sessions/*/pause",
            condition: #"session.status == "running""#, prepare: { $0.edit(7) { $0.status = .running } },
            effects: calls("POST", "/api/v1/sessions/*/pause")),
        WriteCase(
            step: "sleep", method: "POST", path: "/api/v1/sessions/*/sleep",
            effects: calls("POST", "/api/v1/sessions/*/sleep")),
        WriteCase(
            step: "start_now", method: "POST", path: "/api/v1/sessions/*/start_now",
            condition: #"session.status == "waiting""#,
            prepare: { state in
                state.edit(7) { session in
                    session.status = .waiting
                    session.runtimeSessionID = nil
                }
            }, effects: calls("POST", "/api/v1/sessions/*/start_now")),
        WriteCase(
            step: "refresh", method: "POST", path: "/api/v1/sessions/*/refresh",
            effects: anyCall("POST", "/api/v1/sessions/*/refresh")),
        WriteCase(
            step: "set: {title: Better, precedence: 5}", method: "PATCH", path: "/api/v1/sessions/*",
            effects: session { $0.title == "Better" && $0.precedence == 5 }),
        WriteCase(
            step: "heartbeat: {enabled: true, interval: 5m}", method: "PATCH", path: "/api/v1/sessions/*/heartbeat",
            effects: session { $0.heartbeatEnabled && $0.heartbeatIntervalSeconds == 300 }),
        WriteCase(
            step: "model: sonnet", method: "PATCH", path: "/api/v1/sessions/*/model",
            effects: session { $0.model == "sonnet" }),
        WriteCase(
            step: "push: {message: Look at it}", method: "POST", path: "/api/v1/notifications/push", isState: false,
            effects: { $0.state.notifications.count { $0.type == "custom_message" } }),
        WriteCase(
            step: "mark_read: {id: 5001}", method: "PATCH", path: "/api/v1/notifications/*/mark_read",
            prepare: { $0.notify("session_failed", about: 7) },
            effects: { $0.state.notifications.count { $0.isRead } }),
        WriteCase(
            step: "dismiss: {id: 5001}", method: "DELETE", path: "/api/v1/notifications/*/dismiss",
            prepare: { state in
                state.notify("session_failed", about: 7)
                state.notifications[0].isRead = true
            }, effects: { $0.state.notifications.isEmpty ? 1 : 0 }),
        WriteCase(
            step: "mark_all_read", method: "PATCH", path: "/api/v1/notifications/mark_all_read",
            prepare: { $0.notify("session_failed", about: 7) },
            effects: { $0.state.notifications.count { $0.isRead } }),
        WriteCase(
            step: "trigger: {id: 3, enabled: false}", method: "POST", path: "/api/v1/triggers/*/toggle",
            prepare: { $0.triggers = [Trigger(id: 3, name: "Nightly sweep", createdAt: $0.now)] },
            effects: calls("POST", "/api/v1/triggers/*/toggle")),
        WriteCase(
            step: "invoke: {id: 3, variables: {text: now}}", method: "POST", path: "/api/v1/triggers/*/invoke",
            isState: false, prepare: { $0.triggers = [Trigger(id: 3, name: "Nightly sweep", createdAt: $0.now)] },
            effects: { $0.state.triggers[0].sessionIDs.count }),
        WriteCase(
            step: "answer: {accept: {name: bucket}}", method: "PATCH", path: "/api/v1/elicitations/*/respond",
            watch: "elicitation", condition: #"elicitation.tool_name == "rename_bucket""#, isState: false,
            // Zimmer does not say by whom.
            isFound: false,
            confirmed: { state in
                WriteRequest(
                    "answer", to: .elicitation(Int64(state.elicitations[0].id)),
                    kind: .answer("accept", content: [WireMember("name", .text("bucket"))]))
            },
            prepare: { $0.elicit("Rename it?", tool: "rename_bucket", in: 7) },
            effects: { $0.state.elicitations[0].content["name"]?.text == "bucket" ? 1 : 0 }),
        WriteCase(
            step: "authorize_merge:", method: "POST", path: "/api/v1/sessions/*/authorize_merge",
            confirmed: { _ in WriteRequest("authorize_merge", to: .session(7), kind: .authorizeMerge) },
            prepare: { state in
                state.edit(7) { session in
                    session.pullRequests = [
                        PullRequest(url: "https://github.com/acme/web/pull/7", state: .open, ci: .pass)
                    ]
                }
            }, effects: { $0.state.sessions[7]?.humanMessages.count ?? 0 }),
        WriteCase(
            step: "cleanup_processes", method: "POST", path: "/api/v1/health/cleanup_processes",
            effects: anyCall("POST", "/api/v1/health/cleanup_processes")),
        WriteCase(
            step: "enter_recovery: {reason: Too much, ttl: 30m}", method: "POST",
            path: "/api/v1/health/enter_queue_recovery_mode",
            condition: #"session.status == "needs_input" && !health.queue_recovery_mode.active"#,
            effects: anyCall("POST", "/api/v1/health/enter_queue_recovery_mode")),
        WriteCase(
            step: "exit_recovery", method: "POST", path: "/api/v1/health/exit_queue_recovery_mode",
            effects: anyCall("POST", "/api/v1/health/exit_queue_recovery_mode")),
        WriteCase(
            step: "backfill_costs", method: "POST", path: "/api/v1/costs/backfill",
            effects: anyCall("POST", "/api/v1/costs/backfill")),
    ]

    // MARK: - What the server shows

    /// The texts that session 7 was told, waiting ones too.
    private static func told(_ text: String) -> @Sendable (DemoServer) -> Int {
        { server in
            let state = server.state
            let said = (state.sessions[7]?.conversation ?? []).filter { $0.role == "user" }.map(\.content)
            let queued = state.queue.filter { $0.sessionID == 7 && $0.status == .pending }.map(\.content)
            return (said + queued).count { $0.hasSuffix(text) }
        }
    }

    private static func session(_ isSo: @escaping @Sendable (Session) -> Bool) -> @Sendable (DemoServer) -> Int {
        { $0.state.sessions[7].map(isSo) == true ? 1 : 0 }
    }

    private static func lines(_ line: Substring, of server: DemoServer) -> Int {
        (server.state.sessions[7]?.notes ?? "").split(separator: "\n").count { $0 == line }
    }

    /// How many such calls it carried out.
    private static func calls(_ method: String, _ path: String) -> @Sendable (DemoServer) -> Int {
        { applied(RequestPattern(method, path), on: $0).count }
    }

    /// For what a second call does not change.
    private static func anyCall(_ method: String, _ path: String) -> @Sendable (DemoServer) -> Int {
        { min(1, applied(RequestPattern(method, path), on: $0).count) }
    }

    /// Requests that the server carried out.
    private static func applied(_ pattern: RequestPattern, on server: DemoServer) -> [RecordedRequest] {
        server.received(pattern).filter { $0.wasApplied && 200..<300 ~= ($0.status ?? 0) }
    }
}

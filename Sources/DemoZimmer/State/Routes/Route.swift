/// One thing this Zimmer answers: a method, a path, who may ask, and what happens.
struct Route: Sendable {
    typealias Handler = @Sendable (inout ZimmerState, Call) throws -> HTTPResponse

    enum Audience: Sendable {
        case everyone
        /// A full API key; an access token is refused before anything is looked up.
        case keys
        /// An access token that acts on a person's behalf.
        case person
    }

    var method: String
    var components: [String]
    var audience: Audience
    var handler: Handler

    init(_ method: String, _ path: String, for audience: Audience = .everyone, _ handler: @escaping Handler) {
        self.method = method
        self.components = path.split(separator: "/").map(String.init)
        self.audience = audience
        self.handler = handler
    }

    /// The values of the `:name` components, or nil when the path is another one.
    func arguments(in path: ArraySlice<String>) -> [String: String]? {
        guard path.count == components.count else { return nil }
        var arguments: [String: String] = [:]
        for (pattern, component) in zip(components, path) {
            if pattern.hasPrefix(":") {
                arguments[String(pattern.dropFirst())] = component
            } else if pattern != component {
                return nil
            }
        }
        return arguments
    }

    /// Everything under `/api/v1`. The first match counts.
    static let all: [Route] = sessionRoutes + sessionActionRoutes + inboxRoutes + operatorRoutes + catalogRoutes

    private static let sessionRoutes: [Route] = [
        Route("GET", "sessions") { try $0.listSessions($1) },
        Route("POST", "sessions") { try $0.createSession($1) },
        Route("GET", "sessions/search") { try $0.searchSessions($1) },
        Route("GET", "sessions/:id") { try $0.showSession($1) },
        Route("PATCH", "sessions/:id") { try $0.updateSession($1) },
        Route("GET", "sessions/:id/conversation") { try $0.showConversation($1) },
        Route("GET", "sessions/:id/logs") { try $0.listLogs($1) },
        Route("POST", "sessions/:id/logs", for: .keys) { try $0.createLog($1) },
        Route("GET", "sessions/:id/enqueued_messages") { try $0.listQueue($1) },
        Route("POST", "sessions/:id/enqueued_messages", for: .keys) { try $0.createQueued($1) },
        Route("GET", "sessions/:id/elicitations") { try $0.listElicitations($1) },
    ]

    private static let sessionActionRoutes: [Route] = [
        Route("POST", "sessions/:id/follow_up") { try $0.followUp($1) },
        Route("PATCH", "sessions/:id/visibility") { try $0.setVisibility($1) },
        Route("POST", "sessions/:id/archive") { try $0.archiveSession($1) },
        Route("POST", "sessions/:id/unarchive") { try $0.unarchiveSession($1) },
        Route("POST", "sessions/:id/pause") { try $0.pauseSession($1) },
        Route("POST", "sessions/:id/restart") { try $0.restartSession($1) },
        Route("POST", "sessions/:id/sleep") { try $0.sleepSession($1) },
        Route("POST", "sessions/:id/start_now") { try $0.startSessionNow($1) },
        Route("POST", "sessions/:id/refresh") { try $0.refreshSession($1) },
        Route("PATCH", "sessions/:id/notes") { try $0.setNotes($1) },
        Route("POST", "sessions/:id/toggle_favorite") { try $0.toggleFavorite($1) },
        Route("PATCH", "sessions/:id/heartbeat") { try $0.setHeartbeat($1) },
        Route("PATCH", "sessions/:id/model") { try $0.setModel($1) },
        Route("POST", "sessions/:id/authorize_merge", for: .person) { try $0.authorizeMerge($1) },
    ]

    private static let inboxRoutes: [Route] = [
        Route("GET", "notifications") { try $0.listNotifications($1) },
        Route("GET", "notifications/badge") { state, _ in state.badge() },
        Route("PATCH", "notifications/mark_all_read") { state, _ in state.markAllRead() },
        Route("DELETE", "notifications/dismiss_all_read") { state, _ in state.dismissAllRead() },
        Route("POST", "notifications/push", for: .keys) { try $0.push($1) },
        Route("GET", "notifications/:id") { try $0.showNotification($1) },
        Route("PATCH", "notifications/:id/mark_read") { try $0.markRead($1) },
        Route("DELETE", "notifications/:id/dismiss") { try $0.dismiss($1) },
        Route("PATCH", "elicitations/:id/respond") { try $0.respondToElicitation($1) },
    ]

    private static let operatorRoutes: [Route] = [
        Route("GET", "health") { state, _ in .json(state.healthJSON()) },
        Route("GET", "health/queue_recovery_mode") { state, _ in .json(state.recovery.json(at: state.now)) },
        Route("POST", "health/enter_queue_recovery_mode") { try $0.enterRecovery($1) },
        Route("POST", "health/exit_queue_recovery_mode") { state, _ in state.exitRecovery() },
        Route("POST", "health/retry_sessions") { try $0.retrySessions($1) },
        Route("POST", "health/cleanup_processes") { try $0.cleanUpProcesses($1) },
        Route("GET", "costs") { try $0.showCosts($1) },
        Route("POST", "costs/backfill") { state, _ in state.backfillCosts() },
    ]

    private static let catalogRoutes: [Route] = [
        Route("GET", "triggers") { try $0.listTriggers($1) },
        Route("GET", "triggers/:id") { try $0.showTrigger($1) },
        Route("POST", "triggers/:id/toggle") { try $0.toggleTrigger($1) },
        Route("POST", "triggers/:id/invoke") { try $0.invokeTrigger($1) },
        Route("GET", "work_backlog_items", for: .keys) { try $0.listBacklog($1) },
        Route("GET", "configs") { _, _ in .json(ZimmerState.configs) },
        Route("GET", "clis/status") { state, _ in state.cliStatus() },
    ]
}

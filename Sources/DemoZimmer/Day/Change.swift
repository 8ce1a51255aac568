/// Something that happens on a server without anyone asking through its API: an agent, a check, a person at the web
/// page, the machine itself.
package enum Change: Sendable, Hashable {
    case starts(SessionPlan)
    /// How the session's next turns will end.
    case willEnd(session: Int, [TurnOutcome])
    case rests(session: Int, saying: String)
    case fails(session: Int, reason: String?)
    /// Spot work is held back by the quota.
    case isHeld(session: Int, detail: String)

    case ci(session: Int, PullRequest.CI?)
    case conflict(session: Int, Bool)
    case merged(session: Int)

    case says(session: Int, String)
    case authorizesMerge(session: Int)
    case restarts(session: Int)
    case archives(session: Int)
    /// A person takes a snooze back. It is not activity on the session.
    case unsnoozes(session: Int)
    case renames(session: Int, String)
    case favors(session: Int)

    case asks(session: Int, String, tool: String)
    case answers(session: Int)

    case recoveryBegins(reason: String, Duration)
    case recoveryEnds
    case egressFails(detail: String)
    case egressRecovers
    case triggerFires(Int, SessionPlan)
    case triggerFails(Int, error: String)
    case tool(String, isAuthenticated: Bool)
    /// Spend outside any session.
    case spends(Double, root: String, model: String)
}

/// A session that is going to be started, with what its agent will do.
package struct SessionPlan: Sendable, Hashable {
    package var id: Int
    package var title: String
    package var root = "widgets"
    package var model = "opus"
    package var runtime = "claude_code"
    package var genesis = "web_ui"
    package var goal: String?
    package var turnLength = Duration.minutes(35)
    package var script: [TurnOutcome] = []
    package var costPerQuarter = 0.6
    package var pushesWhenResting = false
}

/// How a turn of an agent ends.
package enum TurnOutcome: Sendable, Hashable {
    /// It does as it was told: told to merge a pull request that a person authorized and that can be merged, it merges
    /// and archives itself; anything else it answers and rests.
    case obliges
    /// It comes to rest, saying this, whatever it was told.
    case rests(saying: String)
    case fails(reason: String)
    case opensPullRequest(number: Int)
    /// It merges its last pull request and archives itself.
    case mergesAndArchives
    case archivesItself
    /// It never ends by itself.
    case keepsRunning
}

/// How agents behave where a session's own script says nothing.
package struct AgentBehaviour: Sendable, Hashable {
    package var outcome = TurnOutcome.obliges
    /// From words delivered until a worker takes the turn.
    package var pickUp = Duration.seconds(90)
    package var turn = Duration.seconds(360)
    /// From coming to rest until a queued message is delivered.
    package var queueDelivery = Duration.seconds(10)
    /// From coming to rest until the inbox says so.
    package var restNotice = Duration.seconds(60)
    /// Whether words sent with an API key count as a person's activity.
    package var followUpsTouch = false

    package init() {}
}

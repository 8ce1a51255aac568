package import Rules

/// One thing that an observation took, as it is recorded.
package enum Intake: Sendable {
    case board(BoardReading, departed: [SubjectID: Departure])
    case health(HealthReading)
    case costs(CostsReading, CostsRequest)
    /// A read that failed or brought only a part, by the word of `watch:`.
    case failed(String, reason: String)
    case failedCosts(CostsRequest, reason: String)
    /// How Zimmer can be reached.
    case standing(ZimmerStanding)
    case channels([ChannelStatus])
}

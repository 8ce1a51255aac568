/// How patient a channel is.
package struct DeliveryPolicy: Hashable, Sendable {
    /// A message older than this is not sent any more, unless its urgency is high.
    package var deadline: Duration = .seconds(3600)
    /// The same of what the bot says about itself: once for each cause and day, and of a call whose answer was lost never
    /// again.
    package var noticeDeadline: Duration = .seconds(86_400)
    /// The longest wait after the first failure in a row; doubled with each further one.
    package var firstDelay: Duration = .seconds(1)
    package var maximumDelay: Duration = .seconds(300)
    /// How far the other side is believed when it asks to wait.
    package static let maximumHint: Duration = .seconds(900)
    /// How often a message is tried whose refusal may or may not be for good.
    package var maximumUncertainTries = 4

    package init() {}

    /// How long to wait after so many failures in a row: anything up to the doubled delay, so that channels that failed
    /// together do not come back together.
    ///
    /// - Parameter jitter: 0 … 1.
    func delay(failures: Int, hint: Duration?, jitter: Double) -> Duration {
        // A hint of nothing would make a hot loop of a confused server.
        if let hint, hint >= .seconds(1) { return min(hint, Self.maximumHint) }
        let doublings = min(max(failures - 1, 0), 30)
        return min(firstDelay * (1 << doublings), maximumDelay) * min(max(jitter, 0), 1)
    }
}

package import CEL

/// How a channel is doing, for `status`, for notices and for rules.
package struct ChannelStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case up
        /// The other side has asked to wait.
        case paused
        /// The last attempt failed, or the adapter has no connection.
        case down
    }

    package var channel: String
    package var state: State = .up
    /// When it came into this state; nil for one that has been up since the start.
    package var since: Timestamp?
    /// When it is tried next, where a failure or the other side's wish holds it up.
    package var pausedUntil: Timestamp?
    /// What was said at the last failure; holds no secret.
    package var error: String?
    /// Messages that wait.
    package var waiting = 0
    package var lastDeliveredAt: Timestamp?
    /// Messages given up since the start.
    package var deadLetters = 0

    package init(channel: String) {
        self.channel = channel
    }

    /// Notes a state; `since` moves only when it is another.
    mutating func enter(_ state: State, at now: Timestamp, error: String? = nil) {
        if self.state != state { since = now }
        self.state = state
        self.error = error
    }
}

package import CEL

/// How a channel is doing, for `status` and for notices.
package struct ChannelStatus: Hashable, Sendable {
    package var channel: String
    /// Since when nothing goes through; nil while the last attempt went well.
    package var downSince: Timestamp?
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

    package var isUp: Bool { downSince == nil }
}

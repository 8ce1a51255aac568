/// How messages go to a channel, whatever its adapter is: the keys that every channel has.
package struct ChannelDelivery: Hashable, Sendable {
    /// What of a message a channel may show.
    package enum Detail: String, Hashable, Sendable, CaseIterable {
        case full
        /// The subject's title.
        case title
        /// Just that something of this kind happened.
        case kind
    }

    /// So many messages at once, then one each time the interval is over.
    package struct Rate: Hashable, Sendable {
        package var burst: Int
        package var interval: Duration

        package init(burst: Int, interval: Duration) {
            self.burst = burst
            self.interval = interval
        }
    }

    /// When messages wait; together with the rule's own quiet hours.
    package var quiet: QuietHours?
    /// In place of what the adapter thinks right.
    package var rate: Rate?
    /// Messages older than this are no longer sent one by one.
    package var deadline: Duration?
    /// Whom urgent messages call, in the words of the chat.
    package var mention: [String] = []
    package var detail: Detail = .full

    package init() {}
}

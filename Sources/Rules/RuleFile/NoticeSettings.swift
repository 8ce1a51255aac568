/// `notices:`: where the bot speaks about itself.
package struct NoticeSettings: Hashable, Sendable {
    package var channels: [String]
    /// How long a rule may be unable to tell before that is worth a notice.
    package var cannotTellAfter: Duration = .seconds(900)

    package init(channels: [String]) {
        self.channels = channels
    }
}

package import CEL

/// How a bot that runs, or ran, fares in what is not of its rules.
package struct BotStanding: Sendable {
    package var channels: [ChannelStatus] = []
    /// A person lets no message go before.
    package var mutedUntil: Timestamp?

    package init() {}
}

extension StateReader {
    package func standing() throws -> BotStanding {
        var standing = BotStanding()
        standing.channels = try status().channels.compactMap(ChannelStatus.init)
        standing.mutedUntil = try mutedUntil()
        return standing
    }
}

extension ChannelStatus {
    fileprivate init?(_ stored: StatusReport.Channel) {
        guard let state = State(rawValue: stored.state) else { return nil }
        self.init(channel: stored.name)
        self.state = state
        since = stored.since
        pausedUntil = stored.pausedUntil
        error = stored.error
        waiting = stored.waiting
    }
}

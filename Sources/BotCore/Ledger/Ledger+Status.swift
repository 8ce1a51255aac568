import CEL

extension Ledger {
    /// Stores how Zimmer and the readers fare; inside a transaction.
    func saveStatus(_ outages: Outages) throws {
        let standing = observation.standing
        try StatusStore(database).save(features: features)
        try StatusStore(database).save(outage: outages.current)
        try StatusStore(database).save(
            zimmer: StatusReport.Zimmer(
                reachable: standing.isReachable, lastReadAt: standing.lastReadAt, error: standing.error,
                signIn: standing.signIn.rawValue, acting: credentials.signIn.map(StatusReport.Acting.init),
                edgeTokenExpiresAt: credentials.edgeExpiry, skew: clocks.skew.wholeMicroseconds),
            readers: readers.sorted { $0.key < $1.key }.map { name, state in
                StatusReport.Reader(
                    name: name, lastTriedAt: state.lastTriedAt, lastReadAt: state.lastReadAt, problem: state.problem)
            })
    }

    /// Takes how the channels fare: stored for `status`, said through the others when one stays down, and seen by rules.
    ///
    /// - Returns: whether a rule could see a difference, so that it is time to decide.
    func note(_ channels: [ChannelStatus]) throws -> Bool {
        let now = clock.now()
        try StatusStore(database).save(
            channels: channels.map { channel in
                StatusReport.Channel(
                    name: channel.channel, state: channel.state.rawValue, since: channel.since,
                    pausedUntil: channel.pausedUntil, error: channel.error,
                    waiting: channel.waiting, dead: channel.deadLetters)
            })
        channelCauses = channels.compactMap { channel in
            guard channel.state == .down, let since = channel.since, now - since >= Self.channelPatience else {
                return nil
            }
            return NoticeBook.Cause(
                id: "channel:\(channel.channel)",
                text: "Channel \(channel.channel) is down: \(channel.error ?? "no reason was given")",
                channel: channel.channel)
        }
        return observation.take(channels)
    }

    /// A channel that is down for less is only seen in `status`.
    static let channelPatience: Duration = .seconds(300)
}

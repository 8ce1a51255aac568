import AdapterKit
import CEL
import Rules

extension ChannelWorker {
    /// Lets what was held go: as one message where it is several.
    func release(_ hold: OutboxEntry.Hold) async throws {
        let entries = try await outbox.released(channel, hold, now: clock.now(), limit: Self.foldSize)
        let digest = digest(of: entries)
        let result: Digest.Result
        let reason: String
        switch hold {
        case .quiet: (result, reason) = (digest.quiet(entries), "one message after the quiet hours")
        case .suppressed: (result, reason) = (digest.quiet(entries), "one message, as it was held back")
        case .group: (result, reason) = (digest.group(entries), "one message for its group")
        }
        if !result.dropped.isEmpty {
            try await outbox.fold(result.dropped, into: nil, reason: "over, or said again, while it was held")
        }
        if let folded = result.folded {
            try await outbox.fold(result.kept, into: folded, reason: reason)
        } else {
            try await outbox.letGo(result.kept)
        }
    }

    /// Puts one line in the place of messages that are too old.
    func foldOverdue(before: Timestamp, notices: Timestamp) async throws {
        let entries = try await outbox.overdue(channel, before: before, notices: notices, limit: Self.foldSize)
        guard !entries.isEmpty else { return }
        let line = digest(of: entries).line(entries)
        try await outbox.fold(entries.map(\.id), into: line, reason: "older than the channel's deadline")
        log.write(
            .warning, "messages were too old to be sent", [("channel", channel), ("count", "\(entries.count)")])
    }

    private func digest(of entries: [OutboxEntry]) -> Digest {
        Digest(
            channel: channel, timeZone: rules.timeZone(of: entries), now: clock.now(),
            detail: rules.channels[channel]?.detail ?? .full)
    }
}

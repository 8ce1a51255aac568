import AdapterKit
import CEL
import Rules

/// The outbox of a rehearsal: lets messages go as the channels' workers would, groups and quiet hours included.
///
/// Channels take everything at once here: what a channel does with its rate is not the rules' doing.
struct WaitingMessages: Sendable {
    private struct Group: Hashable {
        var channel: String
        var hold: OutboxEntry.Hold
    }

    /// Those of one hold and channel go together.
    private struct Held {
        var entries: [OutboxEntry]
        var release: Timestamp
    }

    private var held: [Group: Held] = [:]
    /// When a group's last message went.
    private var sentAt: [Group: Timestamp] = [:]
    private var number = 0

    /// When something that is held may go.
    var nextRelease: Timestamp? { held.values.lazy.map(\.release).min() }

    /// Lets a rule's message go, or holds it.
    ///
    /// - Returns: what holds it; nil when it goes at once.
    mutating func take(_ post: PostDraft, _ message: Message, _ rules: DeliveryRules, now: Timestamp) -> Hold? {
        if let wanted = post.group {
            let group = Group(channel: post.channel, hold: .group(rule: post.rule, value: wanted.value))
            let next = sentAt[group].map { $0 + wanted.interval } ?? now
            let release = hold(message, in: group, until: max(now + wanted.wait, next), now: now)
            return Hold(word: "group", until: release)
        }
        guard let end = rules.quietEnd(of: message, at: now) else { return nil }
        return Hold(
            word: "quiet", until: hold(message, in: Group(channel: post.channel, hold: .quiet), until: end, now: now))
    }

    struct Hold {
        var word: String
        var until: Timestamp
    }

    /// The first of a group says when it goes.
    private mutating func hold(
        _ message: Message, folded: FoldedMessage.Range? = nil, in group: Group, until release: Timestamp,
        now: Timestamp
    ) -> Timestamp {
        let entry = OutboxEntry(id: nextID(), message: message, createdAt: now, folded: folded)
        var waiting = held[group] ?? Held(entries: [], release: release)
        waiting.entries.append(entry)
        held[group] = waiting
        return waiting.release
    }

    private mutating func nextID() -> DeliveryID {
        number += 1
        return DeliveryID(String(number))
    }

    /// What may go by `now`, in order. A group that ends in quiet hours waits for their end.
    mutating func release(_ rules: DeliveryRules, now: Timestamp) -> [Message] {
        var messages: [Message] = []
        let due = held.filter { $0.value.release <= now }.sorted {
            ($0.value.release, $0.key.channel) < ($1.value.release, $1.key.channel)
        }
        for (group, waiting) in due {
            held[group] = nil
            for (message, folded) in fold(waiting.entries, of: group, rules, now: now) {
                if group.hold != .quiet, let end = rules.quietEnd(of: message, at: now) {
                    let quiet = Group(channel: group.channel, hold: .quiet)
                    _ = hold(message, folded: folded, in: quiet, until: end, now: now)
                } else {
                    messages.append(message)
                }
            }
        }
        return messages
    }

    private mutating func fold(
        _ entries: [OutboxEntry], of group: Group, _ rules: DeliveryRules, now: Timestamp
    ) -> [(message: Message, folded: FoldedMessage.Range?)] {
        let digest = Digest(
            channel: group.channel, timeZone: rules.timeZone(of: entries), now: now,
            detail: rules.channels[group.channel]?.detail ?? .full)
        let result = group.hold == .quiet ? digest.quiet(entries) : digest.group(entries)
        if group.hold != .quiet, !result.kept.isEmpty { sentAt[group] = now }
        if let folded = result.folded { return [(folded.message, folded.range)] }
        let kept = Set(result.kept)
        return entries.filter { kept.contains($0.id) }.map { ($0.message, $0.folded) }
    }
}

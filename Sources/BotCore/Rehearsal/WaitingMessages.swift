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

    private struct Held {
        var entry: OutboxEntry
        var release: Timestamp
        /// When it goes, or would go if nobody had muted the bot.
        var own: Timestamp
    }

    /// Those of one hold and channel go together, when several may go.
    private var held: [Group: [Held]] = [:]
    /// What another rule holds back, in order.
    private var suppressed: [Suppressed] = []
    /// When a group's last message went.
    private var sentAt: [Group: Timestamp] = [:]
    private var number = 0
    /// Until then a person lets no message go that is not urgent.
    private var mutedUntil: Timestamp?

    private struct Suppressed {
        var entry: OutboxEntry
        var rule: String
        /// Nil of a message about several.
        var run: RunKey?
    }

    var hasSuppressed: Bool { !suppressed.isEmpty }

    /// When something that is held may go.
    var nextRelease: Timestamp? { held.values.lazy.flatMap { $0.lazy.map(\.release) }.min() }

    /// Lets a rule's message go, or holds it.
    ///
    /// - Returns: what holds it; nil when it goes at once.
    mutating func take(_ post: PostDraft, _ message: Message, _ rules: DeliveryRules, now: Timestamp) -> Hold? {
        if let rule = post.suppressedBy {
            let entry = OutboxEntry(id: nextID(), message: message, createdAt: now, run: post.run?.part.word)
            suppressed.append(Suppressed(entry: entry, rule: post.rule, run: post.run))
            return Hold(word: "suppress", reason: "while \(rule) is active")
        }
        if let wanted = post.group {
            let group = Group(channel: post.channel, hold: .group(rule: post.rule, value: wanted.value))
            let next = sentAt[group].map { $0 + wanted.interval } ?? now
            let own = max(now + wanted.wait, next)
            let end = max(own, muted(message, now: now) ?? own)
            let release = hold(message, of: post.run?.part.word, in: group, until: end, own: own, now: now)
            return Hold(word: "group", reason: "until \(release)")
        }
        guard let end = quietEnd(of: message, rules, now: now) else { return nil }
        let quiet = Group(channel: post.channel, hold: .quiet)
        let release = hold(message, of: post.run?.part.word, in: quiet, until: end, now: now)
        return Hold(word: "quiet", reason: "until \(release)")
    }

    struct Hold {
        var word: String
        /// To be put behind "waits".
        var reason: String
    }

    /// The first of a group says when all of it goes.
    private mutating func hold(
        _ message: Message, folded: FoldedMessage.Range? = nil, of run: String?, in group: Group,
        until release: Timestamp, own: Timestamp? = nil, now: Timestamp
    ) -> Timestamp {
        let entry = OutboxEntry(id: nextID(), message: message, createdAt: now, folded: folded, run: run)
        var new = Held(entry: entry, release: release, own: own ?? release)
        if case .group = group.hold, let first = held[group]?.first {
            (new.release, new.own) = (first.release, first.own)
        }
        held[group, default: []].append(new)
        return new.release
    }

    private mutating func nextID() -> DeliveryID {
        number += 1
        return DeliveryID(String(number))
    }

    /// What may go by `now`, in order. What ends in quiet hours waits for their end.
    mutating func release(_ rules: DeliveryRules, now: Timestamp) -> [Message] {
        var messages: [Message] = []
        let due = held.mapValues { $0.filter { $0.release <= now } }.filter { !$0.value.isEmpty }
        for (group, entries) in due.sorted(by: {
            ($0.value[0].release, $0.key.channel) < ($1.value[0].release, $1.key.channel)
        }) {
            held[group]?.removeAll { $0.release <= now }
            messages += letGo(entries.map(\.entry), of: group, rules, now: now)
        }
        return messages
    }

    private mutating func letGo(
        _ entries: [OutboxEntry], of group: Group, _ rules: DeliveryRules, now: Timestamp
    ) -> [Message] {
        var messages: [Message] = []
        for (message, folded, run) in fold(entries, of: group, rules, now: now) {
            if let end = quietEnd(of: message, rules, now: now) {
                let quiet = Group(channel: group.channel, hold: .quiet)
                _ = hold(message, folded: folded, of: run, in: quiet, until: end, now: now)
            } else {
                messages.append(message)
            }
        }
        return messages
    }

    // MARK: - Quiet

    private func quietEnd(of message: Message, _ rules: DeliveryRules, now: Timestamp) -> Timestamp? {
        let ends = [rules.quietEnd(of: message, at: now), muted(message, now: now)]
        return ends.compactMap { $0 }.max().map { rules.quietEnd(of: message, at: $0) ?? $0 }
    }

    private func muted(_ message: Message, now: Timestamp) -> Timestamp? {
        mutedUntil.flatMap { $0 > now && message.urgency != .high ? $0 : nil }
    }

    /// Holds what comes from now on; what is held is looked at again.
    ///
    /// - Returns: what may go now.
    mutating func mute(until end: Timestamp, _ rules: DeliveryRules, now: Timestamp) -> [Message] {
        moveGroups(until: end, now: now)
        mutedUntil = end
        var released: [Message] = []
        for (group, waiting) in held.filter({ $0.key.hold == .quiet }).sorted(by: { $0.key.channel < $1.key.channel }) {
            held[group] = nil
            for entry in waiting.map(\.entry) {
                if let end = quietEnd(of: entry.message, rules, now: now) {
                    _ = hold(entry.message, folded: entry.folded, of: entry.run, in: group, until: end, now: now)
                } else {
                    released.append(entry.message)
                }
            }
        }
        return released
    }

    /// Groups wait for the end of a mute, and go by themselves when it comes early.
    private mutating func moveGroups(until end: Timestamp, now: Timestamp) {
        for (group, waiting) in held where group.hold != .quiet {
            held[group] = waiting.map { waiting in
                var waiting = waiting
                if waiting.release == mutedUntil { waiting.release = max(now, waiting.own) }
                if end > now { waiting.release = max(waiting.release, end) }
                return waiting
            }
        }
    }

    // MARK: - What another rule holds back

    /// Drops what was held back of episodes that ended, and of rules that are gone.
    ///
    /// - Returns: those whose end is not told either.
    mutating func drop(of decision: Decision) -> Set<Ledger.Untold> {
        guard hasSuppressed else { return [] }
        let ended = decision.endedEpisodes
        var untold: Set<Ledger.Untold> = []
        suppressed.removeAll { held in
            if decision.forgotten.contains(held.rule) { return true }
            guard let run = held.run else { return false }
            let episode = Ledger.EpisodeID(rule: run.rule, subject: run.subject, number: run.episode)
            guard ended.contains(episode) else { return false }
            untold.insert(Ledger.Untold(episode: episode, channel: held.entry.message.channel))
            return true
        }
        return untold
    }

    /// What nothing holds back any more: what is urgent by itself, the rest as one message for each channel.
    mutating func release(
        _ rules: DeliveryRules, now: Timestamp, isSilenced: (String, SubjectID?) -> Bool
    ) -> [Message] {
        let released = suppressed.filter { !isSilenced($0.rule, $0.run?.subject) }.map(\.entry)
        guard !released.isEmpty else { return [] }
        let ids = Set(released.map(\.id))
        suppressed.removeAll { ids.contains($0.entry.id) }
        let urgent = released.filter { $0.message.urgency == .high }
        let rest = Dictionary(grouping: released.filter { $0.message.urgency != .high }, by: \.message.channel)
        return urgent.map(\.message)
            + rest.sorted { $0.key < $1.key }.flatMap { channel, entries in
                letGo(entries, of: Group(channel: channel, hold: .suppressed), rules, now: now)
            }
    }

    private mutating func fold(
        _ entries: [OutboxEntry], of group: Group, _ rules: DeliveryRules, now: Timestamp
    ) -> [(message: Message, folded: FoldedMessage.Range?, run: String?)] {
        let digest = Digest(
            channel: group.channel, timeZone: rules.timeZone(of: entries), now: now,
            detail: rules.channels[group.channel]?.detail ?? .full)
        let result: Digest.Result
        if case .group = group.hold {
            result = digest.group(entries)
            if !result.kept.isEmpty { sentAt[group] = now }
        } else {
            result = digest.quiet(entries)
        }
        if let folded = result.folded { return [(folded.message, folded.range, nil)] }
        let kept = Set(result.kept)
        return entries.filter { kept.contains($0.id) }.map { ($0.message, $0.folded, $0.run) }
    }
}

package import AdapterKit
package import CEL
package import Rules

/// Makes one message of several that waited.
package struct Digest: Sendable {
    package struct Result: Hashable, Sendable {
        /// What is left out.
        package var dropped: [DeliveryID] = []
        /// What goes, in order. Of one there is nothing to make, so that it goes by itself.
        package var kept: [DeliveryID]
        /// One message for all of `kept`, if there are several.
        package var folded: FoldedMessage?
    }

    /// So many messages are listed, the rest is counted.
    package static let listed = 20

    let channel: String
    /// For the times in a message.
    let timeZone: String
    let now: Timestamp
    /// What of each message the channel may show.
    let detail: ChannelDelivery.Detail

    package init(channel: String, timeZone: String, now: Timestamp, detail: ChannelDelivery.Detail = .full) {
        self.channel = channel
        self.timeZone = timeZone
        self.now = now
        self.detail = detail
    }

    /// The posts of one rule that have one value of `group`: the first title, and their texts as a list, without what was
    /// over, or said again, before it went.
    package func group(_ entries: [OutboxEntry]) -> Result {
        let kept = Self.withoutVoid(entries)
        var result = Self.result(keeping: kept, of: entries)
        if kept.count > 1 {
            let title = kept.lazy.compactMap { $0.message(showing: detail).title }.first
            result.folded = list(kept, title: title, showsTitles: false)
        }
        return result
    }

    /// What the quiet hours held, without what was over, or said again, in them.
    package func quiet(_ entries: [OutboxEntry]) -> Result {
        let kept = Self.withoutVoid(entries)
        var result = Self.result(keeping: kept, of: entries)
        if kept.count > 1 {
            let range = range(of: kept)
            let title = "\(range.count) messages from \(time(range.from)) to \(time(range.to))"
            result.folded = list(kept, title: title, showsTitles: true)
        }
        return result
    }

    private static func result(keeping kept: [OutboxEntry], of entries: [OutboxEntry]) -> Result {
        let kept = kept.map(\.id)
        let left = Set(entries.map(\.id)).subtracting(kept)
        return Result(dropped: entries.map(\.id).filter(left.contains), kept: kept)
    }

    /// One line about messages that are too old to be sent.
    package func line(_ entries: [OutboxEntry]) -> FoldedMessage {
        var range = range(of: entries)
        range.isLine = true
        let rules = range.rules.sorted { $0.key < $1.key }.map { name, count in
            "\(name.isEmpty ? "the bot itself" : name) \(count)"
        }
        let noun = range.count == 1 ? "1 message was held" : "\(range.count) messages were held"
        let text =
            "\(noun) from \(time(range.from)) to \(time(range.to)) (\(rules.joined(separator: ", "))); "
            + "'zimmer-bot log' has them."
        let body = MessageBody(RenderedText(text: text))
        return FoldedMessage(
            message: message(entries, title: nil, body: body.tree, markdown: body.markdown), range: range)
    }

    // MARK: - Parts

    /// - Parameter showsTitles: each item begins with its own.
    private func list(_ entries: [OutboxEntry], title: String?, showsTitles: Bool) -> FoldedMessage {
        var items = entries.prefix(Self.listed).map { Self.item($0.message(showing: detail), showsTitle: showsTitles) }
        if entries.count > Self.listed {
            let more = MessageBody(RenderedText(text: "… and \(entries.count - Self.listed) more"))
            items.append((more.tree.blocks, more.markdown))
        }
        let markdown = items.map {
            "- "
                + $0.markdown.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n  ")
        }
        return FoldedMessage(
            message: message(
                entries, title: title, body: TextTree([.list(start: nil, items: items.map(\.blocks))]),
                markdown: markdown.joined(separator: "\n")),
            range: range(of: entries))
    }

    private static func item(_ message: Message, showsTitle: Bool) -> (blocks: [TextBlock], markdown: String) {
        guard showsTitle, let title = message.title else { return (message.body.blocks, message.markdown) }
        let heading = MessageBody(RenderedText([.markup("**"), .inline(.text(title)), .markup("**")]))
        return (heading.tree.blocks + message.body.blocks, "\(heading.markdown)\n\n\(message.markdown)")
    }

    private func message(
        _ entries: [OutboxEntry], title: String?, body: TextTree, markdown: String
    ) -> Message {
        let rules = Set(entries.map(\.message.rule))
        return Message(
            kind: .digest, channel: channel, rule: rules.count == 1 ? entries[0].message.rule : nil,
            time: WallTime(now), title: title, body: body, markdown: markdown)
    }

    private func range(of entries: [OutboxEntry]) -> FoldedMessage.Range {
        var range = FoldedMessage.Range(
            count: 0, from: now, to: now, rules: [:], isLine: false, detail: detail.rawValue)
        for entry in entries {
            let rule = entry.message.rule ?? ""
            let part =
                entry.folded
                ?? FoldedMessage.Range(
                    count: 1, from: entry.createdAt, to: entry.createdAt, rules: [rule: 1], isLine: false)
            range.from = range.count == 0 ? part.from : min(range.from, part.from)
            range.to = range.count == 0 ? part.to : max(range.to, part.to)
            range.count += part.count
            range.rules.merge(part.rules, uniquingKeysWith: +)
        }
        return range
    }

    private func time(_ time: Timestamp) -> String { time.minuteText(in: timeZone) }

    /// Without what was void before it went: the messages of episodes that began and ended among them, and of others all
    /// but the last word. That is their end, or what the last run of `do` said.
    private static func withoutVoid(_ entries: [OutboxEntry]) -> [OutboxEntry] {
        struct Episode: Hashable {
            var rule: String?
            var type: String
            var id: String
            var number: Int
        }
        func episode(_ entry: OutboxEntry) -> Episode? {
            guard let subject = entry.message.subject, let number = entry.message.episode else { return nil }
            return Episode(rule: entry.message.rule, type: subject.type, id: subject.id, number: number)
        }
        var begun: Set<Episode> = []
        var lastRuns: [Episode: String?] = [:]
        for entry in entries {
            guard let episode = episode(entry) else { continue }
            if entry.message.kind == .firing { begun.insert(episode) }
            lastRuns[episode] = .some(entry.run)
        }
        let over = Set(entries.filter { $0.message.kind == .resolved }.compactMap(episode)).intersection(begun)
        return entries.filter { entry in
            episode(entry).map { !over.contains($0) && lastRuns[$0] == .some(entry.run) } ?? true
        }
    }
}

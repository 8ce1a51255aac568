extension Decision {
    /// So many messages are listed in one; the rest is counted.
    private static let listed = 20

    /// Makes one message of those that go beyond a rule's limit, per channel, at the place of the first.
    mutating func fold() {
        guard posts.contains(where: \.isFolded) else { return }
        struct Group: Hashable {
            var rule: String
            var channel: String
            var isEnding: Bool
        }
        var groups: [Group: [PostDraft]] = [:]
        var order: [Group?] = []
        var kept: [PostDraft] = []
        for post in posts {
            guard post.isFolded else {
                order.append(nil)
                kept.append(post)
                continue
            }
            let group = Group(rule: post.rule, channel: post.channel, isEnding: post.kind == .resolved)
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(post)
        }
        var next = kept.makeIterator()
        posts = order.compactMap { group in
            guard let group else { return next.next() }
            return groups[group].flatMap(Self.digest)
        }
    }

    private static func digest(_ posts: [PostDraft]) -> PostDraft? {
        guard var digest = posts.first else { return nil }
        guard posts.count > 1 else {
            digest.isFolded = false
            return digest
        }
        var items = posts.prefix(listed).map { $0.text.oneLine }
        if posts.count > listed { items.append([.text("… and \(posts.count - listed) more")]) }
        digest.run = nil
        digest.subject = nil
        digest.kind = .digest
        digest.thread = nil
        digest.updates = false
        digest.chart = nil
        digest.isFolded = false
        digest.title = RenderedText(text: "\(posts.count) more from \(digest.rule)")
        digest.text = RenderedText([.items(items)])
        return digest
    }
}

extension RenderedText {
    /// All of it as one line, for a list.
    fileprivate var oneLine: [Inline] {
        segments.flatMap { segment -> [Inline] in
            switch segment {
            case .markup(let markup): [.markdown(markup.split(separator: "\n").joined(separator: " "))]
            case .inline(let inline): [inline]
            case .items(let items): Array(items.joined(separator: [.text(", ")]))
            }
        }
    }
}

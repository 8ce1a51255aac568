import AdapterKit
import Rules

extension Message {
    /// The message with only so much in it as a third party may see.
    func reduced(to detail: ChannelDelivery.Detail) -> Message {
        guard detail != .full else { return self }
        var reduced = self
        reduced.title = nil
        reduced.chart = nil
        let what = "\(rule ?? "zimmer-bot"): \(kind.rawValue)"
        var text = what
        if detail == .title, let subject {
            reduced.subject = Subject(type: subject.type, id: subject.id, title: subject.title)
            if let title = subject.title { text = "\(what): \(title)" }
        } else {
            reduced.subject = nil
        }
        let body = MessageBody(RenderedText(text: text))
        reduced.body = body.tree
        reduced.markdown = body.markdown
        return reduced
    }
}

extension OutboxEntry {
    /// What a channel may show of it. What stands for several was made of what it may show of each.
    func message(showing detail: ChannelDelivery.Detail) -> Message {
        let isReduced = folded.map { $0.isLine || $0.detail == detail.rawValue } ?? false
        return isReduced ? message : message.reduced(to: detail)
    }
}

import AdapterKit
import CEL
import Rules

extension Message {
    /// The message that a rule composed.
    init(_ draft: PostDraft) {
        let body = MessageBody(draft.text)
        self.init(
            kind: Kind(draft.kind), urgency: Urgency(draft.urgency), channel: draft.channel, rule: draft.rule,
            subject: draft.subject.map(Subject.init), episode: draft.subject == nil ? nil : draft.run?.episode,
            time: WallTime(draft.at), title: draft.title.map(\.line), body: body.tree,
            markdown: body.markdown, chart: draft.chart.map(Chart.init))
    }

    /// What the bot says about itself.
    init(notice text: String, channel: String, at time: Timestamp) {
        let body = MessageBody(RenderedText(text: text))
        self.init(
            kind: .notice, channel: channel, time: WallTime(time), body: body.tree, markdown: body.markdown)
    }
}

extension Chart {
    init(_ draft: ChartDraft) {
        self.init(title: draft.title, points: draft.points.map { Point(label: $0.label, value: $0.value) })
    }
}

extension Message.Kind {
    fileprivate init(_ kind: PostDraft.Kind) {
        switch kind {
        case .firing: self = .firing
        case .repeat: self = .repeat
        case .resolved: self = .resolved
        case .report: self = .report
        case .digest: self = .digest
        }
    }
}

extension Message.Urgency {
    fileprivate init(_ urgency: Post.Urgency) {
        switch urgency {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}

extension Message.Subject {
    fileprivate init(_ subject: Rules.Subject) {
        func text(_ field: String) -> String? {
            guard subject.value.type.slot(of: field) != nil, case .string(let text) = subject.value[field] else {
                return nil
            }
            return text
        }
        self.init(
            type: subject.id.type, id: subject.id.id, title: text("title")?.printableLine,
            url: subject.id.type == "session" ? text("url") : nil)
    }
}

extension WallTime {
    init(_ time: Timestamp) {
        self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
    }
}

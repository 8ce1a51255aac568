package import CEL

/// A message as a rule composed it, before it is rendered for a channel.
package struct PostDraft: Sendable {
    package enum Kind: String, Sendable { case firing, `repeat`, resolved, report, digest }

    /// Nil for a message that lists several runs.
    package var run: RunKey?
    package var rule: String
    package var step: Int
    package var channel: String
    package var kind: Kind
    package var urgency: Post.Urgency
    package var title: RenderedText?
    package var text: RenderedText
    package var subject: Subject?
    package var at: Timestamp
    /// Posts of one thread stand together where a channel has threads.
    package var thread: String?
    package var updates = false
    package var mentions = false
    package var chart: ChartDraft?
    /// Nil: goes by itself.
    package var group: Group?
    /// The rule that is active and holds this one's messages back.
    package var suppressedBy: String?
    /// Beyond a limit of its rule: goes out together with the others of its kind.
    package var isFolded = false
}

extension PostDraft {
    /// Posts of a rule with one value become one message.
    package struct Group: Hashable, Sendable {
        package var value: String
        /// How long the first of a group waits for others.
        package var wait: Duration
        /// How long the next waits after the group's last message.
        package var interval: Duration
    }

    init(
        run: RunKey, step: Int, channel: String, post: Post, subject: Subject?, at: Timestamp, _ evaluator: Evaluator
    ) {
        let kind: Kind =
            switch run.part {
            case _ where run.slot != nil: .report
            case .steps: .firing
            case .again: .repeat
            case .resolved: .resolved
            }
        self.init(
            run: run, rule: run.rule, step: step, channel: channel, kind: kind, urgency: post.urgency,
            title: post.title?.render(evaluator.activation), text: post.text.render(evaluator.activation),
            subject: subject, at: at)
        thread = post.thread.name(for: subject)
        updates = post.updates
        mentions = post.mentions || post.urgency == .high
        chart = post.chart.flatMap(evaluator.chart)
        group = post.urgency == .high ? nil : evaluator.group()
    }
}

extension Post.Thread {
    /// What tells one thread of a channel from another; nil where a message stands by itself.
    fileprivate func name(for subject: Subject?) -> String? {
        switch self {
        case .none: nil
        case .named(let name): "name \(name)"
        case .session: subject.flatMap { $0.id.type == "session" ? "session \($0.id.id)" : nil }
        }
    }
}

extension Post {
    /// The channels named, or computed: a string, or a list of them, each once. What is neither names none.
    func channels(_ activation: Activation) -> [String] {
        var seen: Set<String> = []
        return named(activation).filter { seen.insert($0).inserted }
    }

    private func named(_ activation: Activation) -> [String] {
        switch target {
        case .channels(let names): names
        case .expression(let program):
            switch program.evaluate(activation) {
            case .string(let name): [name]
            case .list(let names):
                names.compactMap { if case .string(let name) = $0 { name } else { nil } }
            default: []
            }
        }
    }
}

package import CEL

/// A message as a rule composed it, before it is rendered for a channel.
package struct PostDraft: Sendable {
    package enum Kind: String, Sendable { case firing, resolved, report, digest }

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
    /// Beyond a limit of its rule: goes out together with the others of its kind.
    package var isFolded = false
}

extension PostDraft {
    init(
        run: RunKey, step: Int, channel: String, post: Post, subject: Subject?, at: Timestamp, _ activation: Activation
    ) {
        let kind: Kind =
            run.subject.type == Slot.subjectType ? .report : run.part == .resolved ? .resolved : .firing
        self.init(
            run: run, rule: run.rule, step: step, channel: channel, kind: kind, urgency: post.urgency,
            title: post.title?.render(activation), text: post.text.render(activation), subject: subject, at: at)
    }
}

extension Post {
    /// The channels named, or computed: a string, or a list of them. What is neither names none.
    func channels(_ activation: Activation) -> [String] {
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

package import CEL

/// One step of `do` or `resolved`.
package struct Step: Sendable {
    package enum Action: Sendable {
        case post(Post)
        case wait(Duration)
        case write(Write)
        /// An answer to the person who called the rule.
        case reply(Template)
    }

    /// What becomes of the chain when the step fails: was refused, or could not be made out of its values.
    package enum OnError: String, Sendable { case stop, `continue` }

    package var position: SourcePosition
    package var action: Action
    /// `if`: else it is passed over.
    package var condition: Program?
    package var onError: OnError
    /// `confirm`: a person is asked first.
    package var confirmation: Confirmation?

    package init(
        position: SourcePosition, action: Action, condition: Program? = nil, onError: OnError = .stop,
        confirmation: Confirmation? = nil
    ) {
        self.confirmation = confirmation
        self.position = position
        self.action = action
        self.condition = condition
        self.onError = onError
    }

    package var isWrite: Bool {
        if case .write = action { true } else { false }
    }

    package var programs: [Program] {
        let own: [Program] =
            switch action {
            case .post(let post): post.programs
            case .wait: []
            case .reply(let text): text.programs
            case .write(let write): write.programs
            }
        return own + (condition.map { [$0] } ?? [])
    }
}

/// `post:` with the keys beside it.
package struct Post: Sendable {
    package enum Urgency: String, Sendable { case low, normal, high }

    /// Which messages stand together, where a channel has threads.
    package enum Thread: Hashable, Sendable {
        /// Those about the same session.
        case session
        case none
        case named(String)
    }

    /// Names of channels; a computed one is resolved when the step runs.
    package enum Target: Sendable {
        case channels([String])
        case expression(Program)
    }

    package var target: Target
    package var text: Template
    package var title: Template?
    package var urgency: Urgency
    package var thread: Thread
    /// Takes the place of this episode's earlier message, where a channel can edit.
    package var updates: Bool
    /// Calls those that the channel names under `mention`.
    package var mentions: Bool
    package var chart: ChartRequest?

    package init(
        target: Target, text: Template, title: Template? = nil, urgency: Urgency = .normal, thread: Thread = .session,
        updates: Bool = false, mentions: Bool = false, chart: ChartRequest? = nil
    ) {
        self.target = target
        self.text = text
        self.title = title
        self.urgency = urgency
        self.thread = thread
        self.updates = updates
        self.mentions = mentions
        self.chart = chart
    }

    package var programs: [Program] {
        var all = text.programs + (title?.programs ?? [])
        if case .expression(let program) = target { all.append(program) }
        return all
    }
}

/// `chart:` of a post.
package struct ChartRequest: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case costByDay = "cost_by_day"
        case costByRoot = "cost_by_root"
    }

    package var kind: Kind
    /// Nil: the window that the rule reads.
    package var window: CostsWindow?

    package init(_ kind: Kind, window: CostsWindow? = nil) {
        self.kind = kind
        self.window = window
    }
}

/// A value of a step: written down, or one whole `{{ expr }}` that keeps its type.
package enum Argument<Constant: Sendable>: Sendable {
    case constant(Constant)
    case expression(Program)

    package var programs: [Program] {
        if case .expression(let program) = self { [program] } else { [] }
    }
}

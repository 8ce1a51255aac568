/// What is to be said in a channel.
///
/// The body is the same text twice: `body` for adapters that write a format of their own, `markdown` for those whose other
/// side reads Markdown. In both, what was not written by the rule's author is text and nothing else.
public struct Message: Hashable, Sendable, Codable {
    /// The occasion.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case firing, `repeat`, resolved
        /// Of a schedule.
        case report
        case digest, approval
        /// To a person's command.
        case reply
        /// The bot about itself.
        case notice
    }

    public enum Urgency: String, Hashable, Sendable, Codable, CaseIterable {
        case low, normal, high
    }

    /// What a message is about.
    public struct Subject: Hashable, Sendable, Codable {
        /// `session`, `health`, …
        public var type: String
        /// The object's id; the type again where there is only one such object.
        public var id: String
        /// Untrusted text.
        public var title: String?
        public var url: String?

        public init(type: String, id: String, title: String? = nil, url: String? = nil) {
            self.type = type
            self.id = id
            self.title = title
            self.url = url
        }
    }

    public var kind: Kind
    public var urgency: Urgency
    /// The channel's name under `channels:`.
    public var channel: String
    /// Nil where the bot speaks about itself.
    public var rule: String?
    /// Nil for schedules and notices.
    public var subject: Subject?
    public var episode: Int?
    /// When it was decided.
    public var time: WallTime
    /// Plain text.
    public var title: String?
    public var body: TextTree
    public var markdown: String
    public var chart: Chart?

    public init(
        kind: Kind, urgency: Urgency = .normal, channel: String, rule: String? = nil, subject: Subject? = nil,
        episode: Int? = nil, time: WallTime, title: String? = nil, body: TextTree, markdown: String, chart: Chart? = nil
    ) {
        self.kind = kind
        self.urgency = urgency
        self.channel = channel
        self.rule = rule
        self.subject = subject
        self.episode = episode
        self.time = time
        self.title = title
        self.body = body
        self.markdown = markdown
        self.chart = chart
    }
}

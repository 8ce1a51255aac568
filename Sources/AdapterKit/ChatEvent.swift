/// What somebody said or did in a channel. Everything in it was written by the other side.
///
/// An adapter passes on only what a person does now: no history, no edits, no notices, no redacted or quoted text, nothing
/// of other bots that it can tell, and nothing of its own; and nothing at all while it does not know who it is itself.
public struct ChatEvent: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// The text as it was typed, quotes of others taken off.
        case text(String)
        /// A reaction to one of our messages, without variation selectors; `message` is the id in its receipt.
        case reaction(String, message: String)
        /// A reaction was taken back.
        case unreaction(String, message: String)
    }

    /// Unique within the channel; the same when it is passed on again after a restart.
    public var id: String
    /// The channel's name under `channels:`.
    public var channel: String
    /// Who, by what the other side vouches for and a person cannot choose anew: a Matrix user id, an IRC services account.
    /// Nil where nothing of the kind is known.
    public var sender: String?
    /// What the sender is called at the moment, to be shown.
    public var senderName: String
    /// By the server's clock where it gives one.
    public var time: WallTime
    public var content: Content
    /// The first message of the thread it was said in, by the id in its receipt.
    public var thread: String?
    /// The message it answers.
    public var repliesTo: String?
    /// How much the sender may do in this place, where the chat has numbers for it (Matrix power levels).
    public var power: Int?

    public init(
        id: String, channel: String, sender: String?, senderName: String, time: WallTime, content: Content,
        thread: String? = nil, repliesTo: String? = nil, power: Int? = nil
    ) {
        self.id = id
        self.channel = channel
        self.sender = sender
        self.senderName = senderName
        self.time = time
        self.content = content
        self.thread = thread
        self.repliesTo = repliesTo
        self.power = power
    }
}

/// Takes what people say in channels.
public protocol ChatListener: Sendable {
    /// Returns once the event is kept: only then is it taken for read.
    ///
    /// - Throws: where it could not be kept; the same event is passed on again later.
    func receive(_ event: ChatEvent) async throws
}

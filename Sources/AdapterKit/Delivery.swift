/// Names a delivery: the same on every attempt, after restarts too, and never used for another message.
public struct DeliveryID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `dlv_` and letters or digits, so that it can stand in a header, a path or an IRC tag as it is.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public var description: String { text }
}

/// A message on its way to one channel.
public struct Delivery: Hashable, Sendable {
    /// The thread that a message belongs to, where that has begun.
    public struct Thread: Hashable, Sendable {
        /// Of its first message.
        public var root: Receipt
        /// Of the one before this.
        public var latest: Receipt

        public init(root: Receipt, latest: Receipt) {
            self.root = root
            self.latest = latest
        }
    }

    public var id: DeliveryID
    public var message: Message
    /// Counts from 1.
    public var attempt: Int
    /// An earlier attempt may have arrived and nobody knows: say so where the other side cannot recognise a repetition.
    public var mayBeRepeated: Bool
    /// Nil for a message of no thread, and for the first of one.
    public var thread: Thread?
    /// An earlier message that this one takes the place of, where the other side can edit; elsewhere it is sent like any
    /// other. The receipt of an edit is that of the earlier message.
    public var replaces: Receipt?
    /// Who is to be called, from the channel's `mention`. Nobody else ever is.
    public var mentions: [String]
    /// The message's chart, drawn; only for an adapter that takes pictures.
    public var picture: Picture?

    public init(
        id: DeliveryID, message: Message, attempt: Int, mayBeRepeated: Bool = false, thread: Thread? = nil,
        replaces: Receipt? = nil, mentions: [String] = [], picture: Picture? = nil
    ) {
        self.id = id
        self.message = message
        self.attempt = attempt
        self.mayBeRepeated = mayBeRepeated
        self.thread = thread
        self.replaces = replaces
        self.mentions = mentions
        self.picture = picture
    }
}

/// What came of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
    /// The other side has it.
    case delivered(Receipt)
    /// It did not go, and will later: the other side is busy or away. `retryAfter` is what the other side asked for.
    case wait(reason: String, retryAfter: Duration?, affects: Scope = .channel)
    /// It may have gone: the connection ended, or no answer came. Tried again, marked as possibly repeated where the other
    /// side cannot tell.
    case lost(reason: String)
    /// It did not go, and may or may not go later: tried a few times.
    case maybe(reason: String)
    /// It will not go, however often it is tried.
    case never(reason: String, affects: Scope = .message)

    /// What a failure is about.
    public enum Scope: String, Hashable, Sendable {
        /// This message: the next may go.
        case message
        /// The channel as a whole: its room or its address. The next message is not tried at once.
        case channel
        /// Every channel of the same `Adapter.account`: a credential, or a limit that they share.
        case account
    }

    /// Why it did not go, in words; nil where it did.
    public var reason: String? {
        switch self {
        case .delivered: nil
        case .wait(let reason, _, _), .lost(let reason), .maybe(let reason), .never(let reason, _): reason
        }
    }
}

/// What the other side calls a delivered message.
public struct Receipt: Hashable, Sendable {
    /// One for each part that the message was sent in, in order; none where the other side has no names. No line ends.
    public var ids: [String]

    public init(ids: [String] = []) {
        self.ids = ids
    }

    public init(id: String) {
        ids = [id]
    }
}

/// Bytes that an adapter would send, for `send --render`.
public struct RenderedPart: Hashable, Sendable {
    /// What they are: `PUT /_matrix/…`, `line`, `body`. No secret.
    public var label: String
    public var bytes: [UInt8]

    public init(label: String, bytes: [UInt8]) {
        self.label = label
        self.bytes = bytes
    }
}

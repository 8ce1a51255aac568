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
    public var id: DeliveryID
    public var message: Message
    /// Counts from 1.
    public var attempt: Int

    public init(id: DeliveryID, message: Message, attempt: Int) {
        self.id = id
        self.message = message
        self.attempt = attempt
    }
}

/// What came of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
    /// The other side has it.
    case delivered(Receipt)
    /// It did not go, and will later: the other side is busy or away. `retryAfter` is what the other side asked for.
    case wait(reason: String, retryAfter: Duration?)
    /// It did not go, and may or may not go later: tried a few times.
    case maybe(reason: String)
    /// It will not go, however often it is tried.
    case never(reason: String, affects: Scope = .message)

    /// What a refusal is about.
    public enum Scope: String, Hashable, Sendable {
        /// This message: the next may go.
        case message
        /// The channel as a whole: its credential or its address. The next message is not tried at once.
        case channel
    }

    /// Why it did not go, in words; nil where it did.
    public var reason: String? {
        switch self {
        case .delivered: nil
        case .wait(let reason, _), .maybe(let reason), .never(let reason, _): reason
        }
    }
}

/// What the other side calls a delivered message; empty where it has no name for it.
public struct Receipt: Hashable, Sendable {
    public var id: String

    public init(id: String = "") {
        self.id = id
    }
}

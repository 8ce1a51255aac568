package import AdapterKit
package import CEL

/// What a channel's worker needs of the store: the messages without an outcome, and a place for outcomes.
///
/// A worker that cannot write an outcome down tries that again before anything else, so a method may throw for as long as a
/// disk is full. Each is one transaction.
package protocol Outbox: Sendable {
    /// The messages of a channel that may go at `now`, urgent ones first, then in the order in which they were put in.
    func pending(_ channel: String, limit: Int, now: Timestamp) async throws -> OutboxPage
    /// What an attempt has to know beside the message.
    ///
    /// - Parameter marking: writes down that an attempt is under way, so that the next one knows after a crash.
    func begin(_ id: DeliveryID, marking: Bool) async throws -> OutboxContext
    /// Forgets that an attempt is under way: it was called off before anything went.
    func takeBack(_ id: DeliveryID) async throws
    func markDelivered(_ id: DeliveryID, _ receipt: Receipt) async throws
    /// - Parameters:
    ///   - attempt: How often it has been tried now.
    ///   - notBefore: Until when the other side has asked to wait.
    ///   - isDoubtful: it may have arrived.
    func markRetry(
        _ id: DeliveryID, attempt: Int, notBefore: Timestamp?, reason: String, isDoubtful: Bool
    ) async throws
    /// Gives a message up. It stays readable, for `status` and `log`, and can be sent again by its id.
    func markDead(_ id: DeliveryID, reason: String) async throws

    /// Holds a message that could go.
    func hold(_ id: DeliveryID, as hold: OutboxEntry.Hold, until: Timestamp) async throws
    /// Messages that were held together and may go at `now`, in order.
    func released(_ channel: String, _ hold: OutboxEntry.Hold, now: Timestamp, limit: Int) async throws -> [OutboxEntry]
    /// Messages that could go before these times and did not, urgent ones left out, and lines about such, in order.
    func overdue(
        _ channel: String, before: Timestamp, notices: Timestamp, limit: Int
    ) async throws -> [OutboxEntry]
    /// Ends messages and puts one in their place, where the first of them stood; nil: nothing.
    func fold(_ ids: [DeliveryID], into message: FoldedMessage?, reason: String) async throws
    /// Lets messages go by themselves that were held.
    func letGo(_ ids: [DeliveryID]) async throws
}

/// The first of the messages that wait.
package struct OutboxPage: Hashable, Sendable {
    package var entries: [OutboxEntry]
    /// How many wait in all, held ones too.
    package var total: Int
    /// When the next held one may go.
    package var nextRelease: Timestamp?

    package init(entries: [OutboxEntry], total: Int, nextRelease: Timestamp? = nil) {
        self.entries = entries
        self.total = total
        self.nextRelease = nextRelease
    }
}

/// A message that waits.
package struct OutboxEntry: Hashable, Sendable {
    /// Why it did not go at once; what is held alike goes as one message.
    package enum Hold: Hashable, Sendable {
        case quiet
        /// With others of its rule and value.
        case group(rule: String, value: String)
        /// Another rule silenced it, which is over by now.
        case suppressed
    }

    package var id: DeliveryID
    package var message: Message
    package var createdAt: Timestamp
    /// How often it has been tried.
    package var attempts: Int
    package var notBefore: Timestamp?
    package var hold: Hold?
    /// When it could go for the first time: its age counts from there.
    package var dueAt: Timestamp
    /// The messages that it stands for.
    package var folded: FoldedMessage.Range?
    /// Names the run that said it: what one run says belongs together. Nil where it stands for several.
    package var run: String?

    package init(
        id: DeliveryID, message: Message, createdAt: Timestamp, attempts: Int = 0, notBefore: Timestamp? = nil,
        hold: Hold? = nil, releasedAt: Timestamp? = nil, folded: FoldedMessage.Range? = nil,
        run: String? = nil
    ) {
        self.id = id
        self.message = message
        self.createdAt = createdAt
        self.attempts = attempts
        self.notBefore = notBefore
        self.hold = hold
        self.folded = folded
        self.run = run
        dueAt = releasedAt.map { max($0, createdAt) } ?? createdAt
    }
}

/// What an attempt has to know beside the message.
package struct OutboxContext: Hashable, Sendable {
    package var thread: Delivery.Thread?
    package var replaces: Receipt?
    package var callsPeople: Bool
    package var mayBeRepeated: Bool
    /// A later message that says what this one would have said, and more.
    package var supersededBy: DeliveryID?

    package init(
        thread: Delivery.Thread? = nil, replaces: Receipt? = nil, callsPeople: Bool = false,
        mayBeRepeated: Bool = false, supersededBy: DeliveryID? = nil
    ) {
        self.thread = thread
        self.replaces = replaces
        self.callsPeople = callsPeople
        self.mayBeRepeated = mayBeRepeated
        self.supersededBy = supersededBy
    }
}

/// One message in place of several.
package struct FoldedMessage: Hashable, Sendable {
    /// What it stands for.
    package struct Range: Hashable, Sendable, Codable {
        package var count: Int
        package var from: Timestamp
        package var to: Timestamp
        /// How many of them each rule had; of the bot's own, under an empty name.
        package var rules: [String: Int]
        /// It only counts them, so that it can count more later.
        package var isLine: Bool
        /// How much it shows of each, in the words of the rules file.
        package var detail: String?
    }

    package var message: Message
    package var range: Range
}

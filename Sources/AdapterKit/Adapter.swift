// Start here.
//
// An adapter carries messages to one chat or service. Its `AdapterKind` says what may be written under `channels:` and
// makes an `Adapter` of what was written. The bot hands it one `Delivery` at a time and does everything that all adapters
// would do alike: order, retries, back-off, deadlines, and remembering what was sent.

/// Carries the messages of one channel.
///
/// An adapter answers three questions about a delivery: did it go, would waiting help (and how long), and what is its
/// receipt. It never tries a message again by itself.
public protocol Adapter: Sendable {
    /// Names the credential that this channel uses, the same for all channels that share it; no secret. Where the other
    /// side asks an account to wait, all its channels do.
    var account: String { get }

    /// How fast the other side takes messages, where that is known beforehand; the channel's `rate` goes first.
    var rate: Rate? { get }

    /// The other side recognises a delivery id that it has seen, so that a repetition does no harm.
    var recognizesRepeats: Bool { get }

    /// Charts are wanted as pictures.
    var takesPictures: Bool { get }

    /// What each delivery connects to, so that somebody can look whether it is there without delivering; nil for an adapter
    /// that holds a connection, or needs none.
    var endpoint: ByteStreamEndpoint? { get }

    /// Holds whatever stays open between deliveries, a connection for example; returns when its task is cancelled.
    ///
    /// Called once, before the first delivery, and runs beside the deliveries. An adapter with nothing to hold leaves it
    /// to the default, which returns at once.
    func run() async

    /// Tries once to hand a message over.
    ///
    /// Called for one delivery at a time. The same delivery comes again, with the same id and a higher `attempt`, after
    /// `wait` and `maybe` and after a crash: pass the id on where the other side can recognise a repetition. When the task
    /// is cancelled it returns soon, with `wait` if nothing was handed over.
    ///
    /// The reason in an outcome is logged and shown to people. It holds no secret and no URL beyond scheme and host.
    func deliver(_ delivery: Delivery) async -> DeliveryOutcome

    /// What `deliver` would send, byte for byte, as far as that is known without a connection. Does no I/O.
    func render(_ delivery: Delivery) -> [RenderedPart]
}

extension Adapter {
    public var rate: Rate? { nil }
    public var recognizesRepeats: Bool { false }
    public var takesPictures: Bool { false }
    public var endpoint: ByteStreamEndpoint? { nil }

    public func run() async {}
}

/// The word after `adapter:`, what may stand beside it, and how an adapter is made of that.
public protocol AdapterKind: Sendable {
    /// The word after `adapter:`.
    var name: String { get }
    /// The keys of this kind. The keys that every channel has are not among them.
    var schema: ConfigurationSchema { get }

    /// Makes the adapter of one channel. Does no I/O: connections belong in `Adapter.run()`.
    ///
    /// - Throws: `ConfigurationError`, shown with the position of the key it names.
    func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter
}

/// What an adapter gets from the bot.
public struct AdapterContext: Sendable {
    /// The channel's name under `channels:`.
    public var channelName: String
    public var transport: any HTTPTransport
    public var byteStreams: any ByteStreamTransport
    public var mail: any MailTransport
    public var store: any AdapterStore
    public var monitor: any ConnectionMonitor
    /// Who wants to hear what is said in the channel; nil where nobody does.
    public var listener: (any ChatListener)?
    /// The channel's `rate`, for an adapter that paces something smaller than messages.
    public var rate: Rate?
    /// The channel's `mention`, so that a name by which nobody can be called is refused beforehand.
    public var mentions: [String]
    /// One message is sent, perhaps beside a bot that uses the same account: what that one has is not taken from it.
    public var isGuest: Bool
    public var clock: any AdapterClock
    /// 0 … 1, for jitter.
    public var random: @Sendable () -> Double
    public var log: any AdapterLog

    public init(
        channelName: String, transport: any HTTPTransport, byteStreams: any ByteStreamTransport,
        mail: any MailTransport, store: any AdapterStore, monitor: any ConnectionMonitor,
        listener: (any ChatListener)? = nil, rate: Rate? = nil, mentions: [String] = [],
        isGuest: Bool = false,
        clock: any AdapterClock, random: @escaping @Sendable () -> Double, log: any AdapterLog
    ) {
        self.channelName = channelName
        self.transport = transport
        self.byteStreams = byteStreams
        self.mail = mail
        self.store = store
        self.monitor = monitor
        self.listener = listener
        self.rate = rate
        self.mentions = mentions
        self.isGuest = isGuest
        self.clock = clock
        self.random = random
        self.log = log
    }
}

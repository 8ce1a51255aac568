// Start here.
//
// An adapter carries messages to one chat or service. Its `AdapterKind` says what may be written under `channels:` and
// makes an `Adapter` of what was written. The bot hands it one `Delivery` at a time and does everything that all adapters
// would do alike: order, retries, back-off, deadlines, and remembering what was sent.

/// Carries the messages of one channel.
///
/// An adapter answers three questions about a delivery: did it go, would waiting help (and how long), and what is its
/// receipt. It never retries by itself and never stores anything.
public protocol Adapter: Sendable {
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
}

extension Adapter {
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
    public var clock: any AdapterClock
    public var log: any AdapterLog

    public init(
        channelName: String, transport: any HTTPTransport, clock: any AdapterClock, log: any AdapterLog
    ) {
        self.channelName = channelName
        self.transport = transport
        self.clock = clock
        self.log = log
    }
}

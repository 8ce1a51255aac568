public import AdapterKit

extension AdapterContext {
    /// What an adapter gets from a test: nothing leaves the process but through what is passed in.
    public static func testing(
        channelName: String = "contract", transport: any HTTPTransport = SilentTransport(),
        byteStreams: any ByteStreamTransport = SilentTransport(), mail: any MailTransport = SilentTransport(),
        store: any AdapterStore = MemoryStore(), monitor: any ConnectionMonitor = RecordingMonitor(),
        listener: (any ChatListener)? = nil, rate: Rate? = nil, mentions: [String] = [],
        isGuest: Bool = false,
        clock: any AdapterClock = TestClock(), log: any AdapterLog = RecordingLog()
    ) -> AdapterContext {
        AdapterContext(
            channelName: channelName, transport: transport, byteStreams: byteStreams, mail: mail, store: store,
            monitor: monitor, listener: listener, rate: rate, mentions: mentions,
            isGuest: isGuest, clock: clock, random: { 0.5 },
            log: log)
    }
}

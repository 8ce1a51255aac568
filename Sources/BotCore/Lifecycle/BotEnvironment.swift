package import AdapterKit

/// What the bot gets from outside: time, chance, the network, a log. Tests and the demo pass their own.
package struct BotEnvironment: Sendable {
    package var clock: any BotClock
    package var version: String
    /// Makes an HTTP client that trusts these certificates (a path), or the system's.
    package var makeTransport: @Sendable (_ certificates: String?) -> any HTTPTransport
    package var byteStreams: any ByteStreamTransport
    package var mail: any MailTransport
    package var log: any AdapterLog
    /// From 0 to 1, for jitter.
    package var random: @Sendable () -> Double

    package init(
        clock: any BotClock = SystemClock(), version: String, log: any AdapterLog,
        makeTransport: @escaping @Sendable (String?) -> any HTTPTransport = { CurlTransport(certificates: $0) },
        byteStreams: any ByteStreamTransport = CurlByteStreams(), mail: any MailTransport = CurlMail(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.clock = clock
        self.version = version
        self.byteStreams = byteStreams
        self.mail = mail
        self.log = log
        self.makeTransport = makeTransport
        self.random = random
    }
}

import AdapterKit

/// Notices a connection that is dead without saying so.
struct Liveness: Sendable {
    static let silence = Duration.seconds(75)
    /// After our `PING`. Shorter would end slow connections.
    static let patience = Duration.seconds(45)

    private var lastHeard: WallTime
    private var isAsking = false

    init(now: WallTime) {
        lastHeard = now
    }

    var wakeAt: WallTime { lastHeard + (isAsking ? Self.silence + Self.patience : Self.silence) }

    mutating func heard(now: WallTime) {
        lastHeard = now
        isAsking = false
    }

    mutating func timePassed(now: WallTime) throws(Ending) -> [OutgoingLine] {
        guard now >= wakeAt else { return [] }
        if isAsking { throw Ending(.lost, "the server does not answer any more") }
        isAsking = true
        return (try? OutgoingLine("PING", text: "alive")).map { [$0] } ?? []
    }
}

/// How long to stay away after a connection has ended.
struct Reconnection: Sendable {
    /// A connection that lasted so long was a good one.
    static let proven = Duration.seconds(60)

    private var endings: [Ending.Cause: Int] = [:]

    /// - Parameters:
    ///   - lasted: from when the channels could be joined; nil where it did not come to that.
    ///   - jitter: 0 … 1.
    mutating func delay(after cause: Ending.Cause, lasted: Duration?, jitter: Double) -> Duration {
        if let lasted, lasted >= Self.proven { endings = [:] }
        let count = endings[cause, default: 0]
        endings[cause] = count + 1
        let (first, longest): (Duration, Duration) =
            switch cause {
            case .lost: (.seconds(5), .seconds(300))
            case .notLoggedIn: (.seconds(30), .seconds(900))
            case .unwelcome: (.seconds(300), .seconds(1800))
            }
        let base = min(first * (1 << min(count, 10)), longest)
        // Only upwards: what is asked of us is a least.
        return base + base * (min(max(jitter, 0), 1) / 4)
    }
}

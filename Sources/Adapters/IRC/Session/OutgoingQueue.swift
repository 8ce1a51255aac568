import AdapterKit

/// Lines that wait to be written. A server throws out who writes too much at once, whatever it is that is written.
struct OutgoingQueue: Sendable {
    /// Whose line it is: those of a delivery can be taken back.
    enum Owner: Hashable, Sendable {
        case session
        case delivery(Int, part: Int)
        /// The `PING` behind a delivery.
        case proof(Int)

        var delivery: Int? {
            switch self {
            case .session: nil
            case .delivery(let id, _), .proof(let id): id
            }
        }
    }

    struct Entry: Sendable {
        var line: OutgoingLine
        var owner: Owner
    }

    static let defaultRate = Rate(burst: 5, per: .milliseconds(1200))
    /// A server that asks faster than it takes answers gets the latest only.
    private static let mostUnpaced = 16
    /// What the session itself may have waiting. More means that the server makes us talk.
    private static let mostOfSession = 100

    private var pacer: Pacer
    private var unpaced: [OutgoingLine] = []
    private var session: [OutgoingLine] = []
    private var deliveries: [Entry] = []

    init(_ rate: Rate) {
        pacer = Pacer(rate)
    }

    /// - Throws: where the server made us owe it more than could be sensible.
    mutating func add(_ lines: [OutgoingLine]) throws(Ending) {
        for line in lines {
            if line.isUnpaced {
                unpaced = unpaced.suffix(Self.mostUnpaced - 1) + [line]
            } else {
                session.append(line)
            }
        }
        guard session.count <= Self.mostOfSession else {
            throw Ending(.unwelcome, "the server asks for more answers than it takes")
        }
    }

    mutating func add(_ line: OutgoingLine, for owner: Owner) {
        deliveries.append(Entry(line: line, owner: owner))
    }

    mutating func takeBack(delivery id: Int) {
        deliveries.removeAll { $0.owner.delivery == id }
    }

    /// The next line that may be written now.
    mutating func next(now: WallTime) -> Entry? {
        if !unpaced.isEmpty { return Entry(line: unpaced.removeFirst(), owner: .session) }
        guard pacer.delay(now: now) == .zero, !session.isEmpty || !deliveries.isEmpty else { return nil }
        pacer.take(now: now)
        return session.isEmpty ? deliveries.removeFirst() : Entry(line: session.removeFirst(), owner: .session)
    }

    /// When `next` has something; nil when nothing waits.
    func wakeAt(now: WallTime) -> WallTime? {
        if !unpaced.isEmpty { return now }
        return session.isEmpty && deliveries.isEmpty ? nil : now + pacer.delay(now: now)
    }
}

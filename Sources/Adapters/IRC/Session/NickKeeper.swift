import AdapterKit

/// Which nick we have, and the way back to the one we want. Outlives connections, so that it remembers who drove us away.
struct NickKeeper: Sendable {
    static let retryInterval = Duration.seconds(300)
    /// What a services' `GHOST` needs to take effect.
    static let ghostDelay = Duration.seconds(2)
    /// Two programs that ghost each other never end: after so often, an hour without.
    static let mostGhosted = 2
    static let peace = Duration.seconds(3600)
    private static let mostTries = 10
    private static let longestSuffix = 3

    private enum Plan: Hashable {
        case none
        /// Asks services to drive out whoever has the nick.
        case ghost(at: WallTime)
        /// Takes the nick.
        case take(at: WallTime)
    }

    let wanted: String
    /// Nobody is driven out of it.
    private let isGuest: Bool
    /// The one that we have, or try to get before the welcome.
    private(set) var current: String
    private var plan = Plan.none
    private var tries = 0
    private var ghosted: [WallTime] = []

    init(_ wanted: String, isGuest: Bool = false) {
        self.wanted = wanted
        self.isGuest = isGuest
        current = wanted
    }

    var wakeAt: WallTime? {
        switch plan {
        case .none: nil
        case .ghost(let time), .take(let time): time
        }
    }

    /// A new connection: it begins with the nick that we want.
    mutating func opened() {
        current = wanted
        plan = .none
        tries = 0
    }

    /// Before the welcome the server refused the nick: the next to try.
    mutating func refused() throws(Ending) -> [OutgoingLine] {
        tries += 1
        guard tries <= Self.mostTries else { throw Ending(.lost, "the server refuses '\(wanted)' and all like it") }
        let suffix =
            tries <= Self.longestSuffix ? String(repeating: "_", count: tries) : "\(tries)"
        current = wanted + suffix
        return Self.lines("NICK", [current])
    }

    /// The server says who we are. It may have cut the nick.
    mutating func welcomed(as nick: String, now: WallTime) {
        if !nick.isEmpty { current = nick }
        if !isWanted, !isGuest { plan = .ghost(at: now) }
    }

    mutating func renamed(to nick: String, now: WallTime) {
        if !nick.isEmpty { current = nick }
        plan = isWanted || isGuest ? .none : .ghost(at: now + Self.retryInterval)
    }

    /// Somebody who had our nick gave it up.
    mutating func becameFree(now: WallTime) {
        if !isWanted, wakeAt != nil { plan = .take(at: now) }
    }

    /// Someone with a right to the nick drove us away.
    mutating func wasGhosted(now: WallTime) {
        // A server says it twice.
        if let last = ghosted.last, now < last + Self.ghostDelay { return }
        ghosted = ghosted.suffix(Self.mostGhosted - 1).filter { now < $0 + Self.peace } + [now]
    }

    mutating func timePassed(now: WallTime, isLoggedIn: Bool) -> [OutgoingLine] {
        switch plan {
        case .ghost(let time) where now >= time:
            if let last = ghosted.last, ghosted.count >= Self.mostGhosted, now < last + Self.peace {
                plan = .ghost(at: last + Self.peace)
                return []
            }
            // Services know us by our account: the password has no place in a message.
            plan = .take(at: isLoggedIn ? now + Self.ghostDelay : now)
            return isLoggedIn
                ? Self.lines("PRIVMSG", ["NickServ"], text: "GHOST \(wanted)") : timePassed(now: now, isLoggedIn: false)
        case .take(let time) where now >= time:
            plan = .ghost(at: now + Self.retryInterval)
            return Self.lines("NICK", [wanted])
        default: return []
        }
    }

    /// A nick that was not refused and is the beginning of ours was cut by the server, and there is no better one.
    private var isWanted: Bool {
        current.utf8.elementsEqual(wanted.utf8) || tries == 0 && wanted.utf8.starts(with: current.utf8)
    }

    private static func lines(_ command: String, _ middles: [String], text: String? = nil) -> [OutgoingLine] {
        (try? OutgoingLine(command, middles, text: text)).map { [$0] } ?? []
    }
}

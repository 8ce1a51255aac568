import AdapterKit

/// The way from a connection to being known to the server: capabilities, login, nick.
struct Registration: Sendable {
    private enum Phase: Hashable {
        /// `CAP LS` is out; a server that knows no capabilities goes on by itself.
        case listing
        /// So many requests have no answer yet.
        case requesting(Int)
        case loggingIn
        /// `CAP END` is out.
        case ending
        case welcomed
    }

    /// For everything up to the server's welcome.
    static let timeout = Duration.seconds(60)

    private(set) var capabilities = Capabilities()
    private(set) var isLoggedIn = false
    private let settings: ServerSettings
    private var phase = Phase.listing
    private var deadline: WallTime
    /// Asked for one by one, after a request for several was refused.
    private var askedAlone: Set<String> = []

    init(_ settings: ServerSettings, now: WallTime) {
        self.settings = settings
        deadline = now + Self.timeout
    }

    var isWelcomed: Bool { phase == .welcomed }
    /// When `timePassed` has something to say.
    var wakeAt: WallTime? { isWelcomed ? nil : deadline }

    /// The first lines. `PASS` comes before everything else, if it is there.
    func start(nick: String) throws(Ending) -> [OutgoingLine] {
        do throws(OutgoingLine.Refusal) {
            var lines: [OutgoingLine] = []
            if let password = settings.password { lines.append(try OutgoingLine("PASS", text: password.reveal())) }
            lines.append(try OutgoingLine("CAP", ["LS", "302"]))
            lines.append(try OutgoingLine("NICK", [nick]))
            lines.append(try OutgoingLine("USER", [settings.user, "0", "*"], text: settings.realName))
            return lines
        } catch {
            throw Ending(.notLoggedIn, "'nick', 'user', 'realname' or 'password' cannot be sent to a server")
        }
    }

    func timePassed(now: WallTime) throws(Ending) {
        guard !isWelcomed, now >= deadline else { return }
        if phase == .loggingIn {
            throw Ending(.notLoggedIn, "the login was not answered: the server's services may be away")
        }
        throw Ending(.lost, "the server did not let us in within \(Self.timeout.components.seconds) s")
    }

    mutating func receive(_ line: IncomingLine, now: WallTime) throws(Ending) -> [OutgoingLine] {
        switch (line.command, line.numeric) {
        case ("CAP", _): return try receiveCapabilities(line, now: now)
        case (_, 1): return try welcome()
        case (_, 464): throw Ending(.notLoggedIn, "the server refused 'password' (\(line.trailing))")
        case (_, 465): throw Ending(.unwelcome, "we are banned from the server (\(line.trailing))")
        case (_, 901) where settings.login != nil && isLoggedIn:
            throw Ending(.notLoggedIn, "the server logged us out of our account")
        default: return phase == .loggingIn ? try logIn(line, now: now) : []
        }
    }

    private mutating func welcome() throws(Ending) -> [OutgoingLine] {
        if settings.login != nil, !isLoggedIn {
            throw Ending(.notLoggedIn, "the server let us in without our login, and we go nowhere without it")
        }
        phase = .welcomed
        return []
    }

    // MARK: - Capabilities

    private mutating func receiveCapabilities(_ line: IncomingLine, now: WallTime) throws(Ending) -> [OutgoingLine] {
        let list = line.parameters.count > 2 ? line.trailing : ""
        switch line.parameter(1).uppercased() {
        case "LS":
            capabilities.offer(list)
            // A star says that more will come.
            if phase == .listing, line.parameter(2) != "*" || line.parameters.count < 4 { return try request(now: now) }
        case "NEW":
            capabilities.offer(list)
            if isWelcomed { return Self.lines(capabilities.requests(withLogin: false)) }
        case "DEL": capabilities.withdraw(list)
        case "ACK":
            capabilities.acknowledge(list)
            return try answered(now: now)
        case "NAK":
            // One of them is to blame, and all were refused.
            let names = Capabilities.names(list).filter { Capabilities.isWanted($0) && !askedAlone.contains($0) }
            guard names.count > 1 else { return try answered(now: now) }
            askedAlone.formUnion(names)
            if case .requesting(let count) = phase { phase = .requesting(count - 1 + names.count) }
            return Self.lines(names)
        default: break
        }
        return []
    }

    private mutating func request(now: WallTime) throws(Ending) -> [OutgoingLine] {
        let requests = capabilities.requests(withLogin: settings.login != nil)
        phase = .requesting(requests.count)
        return requests.isEmpty ? try requested(now: now) : Self.lines(requests)
    }

    private mutating func answered(now: WallTime) throws(Ending) -> [OutgoingLine] {
        guard case .requesting(let count) = phase else { return [] }
        phase = .requesting(count - 1)
        return count > 1 ? [] : try requested(now: now)
    }

    /// All requests have their answer.
    private mutating func requested(now: WallTime) throws(Ending) -> [OutgoingLine] {
        guard let login = settings.login else { return end() }
        guard capabilities.has("sasl"), capabilities.allows(mechanism: login.mechanism) else {
            throw Ending(
                .notLoggedIn,
                capabilities.offers("sasl")
                    ? "the server does not take \(login.mechanism): use another 'mechanism' in 'sasl'"
                    : "the server offers no login at the moment: its services may be away")
        }
        phase = .loggingIn
        deadline = now + LoginExchange.timeout
        return try perform(LoginExchange(login: login).start(), now: now)
    }

    private static func lines(_ requests: [String]) -> [OutgoingLine] {
        requests.compactMap { try? OutgoingLine("CAP", ["REQ"], text: $0) }
    }

    // MARK: - Login

    private mutating func logIn(_ line: IncomingLine, now: WallTime) throws(Ending) -> [OutgoingLine] {
        guard let login = settings.login else { return [] }
        return try perform(LoginExchange(login: login).receive(line), now: now)
    }

    private mutating func perform(_ step: LoginExchange.Step, now: WallTime) throws(Ending) -> [OutgoingLine] {
        switch step {
        case .none: return []
        case .send(let lines): return lines
        case .failed(let ending): throw ending
        case .done:
            isLoggedIn = true
            deadline = now + Self.timeout
            return end()
        }
    }

    private mutating func end() -> [OutgoingLine] {
        phase = .ending
        return (try? OutgoingLine("CAP", ["END"])).map { [$0] } ?? []
    }
}

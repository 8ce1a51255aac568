/// Who may act through this Zimmer without a key: the clients, what people are asked at the moment, and the connections
/// that they have approved. Time and what a request says come in; nothing here knows of HTTP.
package struct OAuthServer: Sendable {
    /// What becomes of a refresh token that comes a second time.
    package enum Reuse: Sendable {
        /// Refused within a minute; later it is taken for stolen, and the connection ends.
        case ends
        /// While nothing of what it was spent for has been used, the answer got lost, and another is given.
        case forgivesLostAnswers
    }

    /// What a person has approved, as it is listed in Settings.
    package struct Connection: Sendable {
        package let client: String
        package let person: String
        /// The level; a change applies to the next call.
        package var actsForPerson: Bool
        package fileprivate(set) var isRevoked = false
        fileprivate var access: [String: ServerTime] = [:]
        fileprivate var refresh = ""
        fileprivate var refreshUntil = ServerTime.distantPast
        fileprivate var spent: [String: ServerTime] = [:]
        /// Whether a token of the newest pair has been used.
        fileprivate var isUsed = true

        package mutating func revoke() {
            isRevoked = true
        }
    }

    /// What an address asks of a person.
    struct Question: Sendable {
        var client: String
        var redirect: String
        var challenge: String
        var state: String
    }

    /// Why there are no tokens.
    struct Failure: Error {
        var error: String
        var description: String
        var status = 400

        static let client = Failure(error: "invalid_client", description: "Unknown client.", status: 401)
        static let grant = Failure(
            error: "invalid_grant", description: "The refresh token is invalid, expired or already used.")
        static let code = Failure(
            error: "invalid_grant", description: "The authorization code is invalid, expired or already used.")
        static let target = Failure(error: "invalid_target", description: "Unknown resource.")
        static func request(_ what: String) -> Failure { Failure(error: "invalid_request", description: what) }
    }

    /// The newest pair of a connection.
    struct Answer {
        var access: String
        var refresh: String
        var life: Duration
        var actsForPerson: Bool
    }

    /// What this Zimmer calls itself: its web origin. Nil for a deployment that was never told.
    package var issuer: String?
    package var reuse = Reuse.ends
    package var accessLife: Duration = .hours(1)
    package var refreshLife: Duration = .days(180)
    package var connections: [Connection] = []

    static let firstParty = "zimmer-ios"
    /// Redirects by client.
    private var clients = [firstParty: ["com.tadasant.zimmer:/oauth/callback"]]
    private var codes: [String: (question: Question, connection: Connection, until: ServerTime)] = [:]
    private var serial = 0

    private static let minute: Duration = .seconds(60)

    private mutating func mint(_ prefix: String) -> String {
        serial += 1
        return prefix + uuid(of: prefix, serial)
    }

    // MARK: - Clients and questions

    func redirects(of client: String) -> [String]? { clients[client] }

    mutating func register(_ redirects: [String]) -> String {
        let id = mint("zmc_")
        clients[id] = redirects
        return id
    }

    /// A code for what the person has approved.
    mutating func approve(_ question: Question, by person: String, actsForPerson: Bool, now: ServerTime) -> String {
        let code = mint("zmr_code_")
        let connection = Connection(client: question.client, person: person, actsForPerson: actsForPerson)
        codes[code] = (question, connection, now + Self.minute)
        return code
    }

    func isOwn(_ resource: String) -> Bool {
        guard let issuer else { return false }
        var resource = String(resource.prefix { $0 != "?" && $0 != "#" })
        if resource.hasSuffix("/") { resource.removeLast() }
        return resource == issuer + "/mcp"
    }

    // MARK: - Tokens

    /// - Parameter challenge: of the verifier that came with the code.
    mutating func exchange(
        _ code: String, client: String, redirect: String, challenge: String, now: ServerTime
    ) throws(Failure) -> Answer {
        guard clients[client] != nil else { throw .client }
        guard let held = codes.removeValue(forKey: code), now <= held.until, held.question.client == client,
            held.question.redirect == redirect, held.question.challenge == challenge
        else { throw .code }
        connections.append(held.connection)
        return renew(connections.count - 1, now)
    }

    mutating func refresh(_ token: String, client: String, now: ServerTime) throws(Failure) -> Answer {
        guard clients[client] != nil else { throw .client }
        guard
            let index = connections.firstIndex(where: { $0.refresh == token || $0.spent[token] != nil }),
            connections[index].client == client, !connections[index].isRevoked
        else { throw .grant }
        if let spentAt = connections[index].spent[token] {
            let isLost = reuse == .forgivesLostAnswers && !connections[index].isUsed
            guard isLost else {
                if now - spentAt > Self.minute { connections[index].revoke() }
                throw .grant
            }
        }
        guard now <= connections[index].refreshUntil else { throw .grant }
        connections[index].spent[connections[index].refresh] = now
        return renew(index, now)
    }

    private mutating func renew(_ index: Int, _ now: ServerTime) -> Answer {
        let (access, refresh) = (mint("zmr_oat_"), mint("zmr_ort_"))
        connections[index].access[access] = now + accessLife
        connections[index].refresh = refresh
        connections[index].refreshUntil = now + refreshLife
        connections[index].isUsed = false
        return Answer(
            access: access, refresh: refresh, life: accessLife, actsForPerson: connections[index].actsForPerson)
    }

    /// Ends the connection of this token, whichever of its tokens it is.
    mutating func revoke(_ token: String) {
        let index = connections.firstIndex {
            $0.refresh == token || $0.spent[token] != nil || $0.access[token] != nil
        }
        if let index { connections[index].revoke() }
    }

    /// Whether a token acts for its person, asked at every call. Nil for one that opens nothing in the API: only the
    /// app's own do.
    mutating func level(of token: String, now: ServerTime) -> Bool? {
        guard let index = connections.firstIndex(where: { $0.access[token] != nil }) else { return nil }
        let connection = connections[index]
        guard !connection.isRevoked, connection.client == Self.firstParty, let until = connection.access[token],
            now < until
        else { return nil }
        connections[index].isUsed = true
        return connection.actsForPerson
    }
}

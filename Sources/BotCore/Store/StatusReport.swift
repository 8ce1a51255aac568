package import CEL
import Foundation
package import Rules

/// How the bot fares: what `status` prints. The daemon stores what only it knows, the rest is read from the ledger.
package struct StatusReport: Sendable {
    package struct Zimmer: Hashable, Sendable, Codable {
        package var reachable: Bool
        package var lastReadAt: Timestamp?
        package var error: String?
        /// `ok`, `expired` or `edge_refused`.
        package var signIn: String
        /// How the sign-in to act as a person stands; nil where the rules file wants none.
        package var acting: Acting?
        /// When the token for the gate in front ends; nil where that is not known.
        package var edgeTokenExpiresAt: Timestamp?
        /// Its clock minus this machine's, in microseconds; nil in what an older version stored.
        package internal(set) var skew: Int64?
    }

    package struct Acting: Hashable, Sendable, Codable {
        /// `ok`, `expired`, `in_doubt`, `edge_refused` or `unusable`.
        package var state: String
        /// `relay` or `acting`, as Zimmer said last.
        package var level: String?
        package var problem: String?

        init(_ standing: SignInStanding) {
            state = standing.state.rawValue
            level = standing.level?.rawValue
            problem = standing.problem
        }
    }

    package struct Reader: Hashable, Sendable, Codable {
        package var name: String
        package var lastTriedAt: Timestamp
        package var lastReadAt: Timestamp?
        package var problem: String?
    }

    package struct Channel: Hashable, Sendable, Codable {
        package var name: String
        /// `up`, `paused` or `down`.
        package var state: String
        package var since: Timestamp?
        package var pausedUntil: Timestamp?
        package var error: String?
        package var waiting: Int
        /// Given up, over the life of the store.
        package var dead: Int
    }

    package struct Rule: Hashable, Sendable {
        package var name: String
        package var pending: Int
        package var active: Int
        package var held: Int
        package var awaitsRelease: Bool
        package var nextSlot: Timestamp?
    }

    package struct Held: Hashable, Sendable {
        package var rule: String
        package var subject: SubjectID
        package var reason: String
        package var since: Timestamp
    }

    /// A message that was given up.
    package struct DeadLetter: Hashable, Sendable {
        package var id: String
        package var channel: String
        /// Nil where the bot spoke about itself.
        package var rule: String?
        package var reason: String
        package var at: Timestamp
    }

    /// What this Zimmer does not have, in words.
    package var lacks: [String] = []
    /// When the daemon last decided; nil when it never ran.
    package var decidedAt: Timestamp?
    package var zimmer: Zimmer?
    package var readers: [Reader] = []
    package var channels: [Channel] = []
    package var rules: [Rule] = []
    package var held: [Held] = []
    /// The newest, oldest first.
    package var deadLetters: [DeadLetter] = []
}

/// Reads and writes the parts of a `StatusReport`.
package struct StatusStore {
    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    func save(zimmer: StatusReport.Zimmer, readers: [StatusReport.Reader]) throws {
        try save("zimmer", zimmer)
        try save("readers", readers)
    }

    func save(features: ServerFeatures) throws {
        try save("features", features)
    }

    /// What Zimmer was last known not to have. What another version stored and this one does not know is found out anew.
    func features() throws -> ServerFeatures {
        (try? load("features", as: ServerFeatures.self)) ?? ServerFeatures()
    }

    /// The time in which Zimmer cannot be read, while it lasts.
    func save(outage: Outage?) throws {
        guard let outage else {
            try database.run("DELETE FROM status WHERE name = 'outage'")
            return
        }
        try save("outage", outage)
    }

    /// When the bot last looked whether it does its work.
    func save(heartbeat time: Timestamp) throws {
        try save("heartbeat", time)
    }

    func outage() throws -> Outage? {
        try load("outage", as: Outage.self)
    }

    func save(channels: [StatusReport.Channel]) throws {
        try save("channels", channels)
    }

    func save(rules: [RuleTimes]) throws {
        try save("rules", rules)
    }

    /// The times of the rules in force; none of a bot that never ran in this version.
    func ruleTimes() throws -> [RuleTimes] {
        let times = try load("rules", as: [RuleTimes].self) ?? []
        guard times.allSatisfy(\.isSound) else {
            throw DatabaseError(.corrupt, path: database.path, detail: "the times of a rule are out of range")
        }
        return times
    }

    /// Zimmer's clock minus this machine's, as it was last known. Zero where nothing is.
    func skew() throws -> Duration {
        let skew = try load("zimmer", as: StatusReport.Zimmer.self)?.skew ?? 0
        guard Timestamp(stored: skew) != nil else {
            throw DatabaseError(.corrupt, path: database.path, detail: "the clock of Zimmer is off by \(skew) µs")
        }
        return .microseconds(skew)
    }

    private func save(_ name: String, _ value: some Encodable) throws {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        try database.run("INSERT OR REPLACE INTO status (name, value) VALUES (?, ?)", name, text)
    }

    private func load<Part: Decodable>(_ name: String, as type: Part.Type) throws -> Part? {
        let text: String? = try database.first("SELECT value FROM status WHERE name = ?", name) { $0[0] }
        return try text.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    package func report() throws -> StatusReport {
        var report = StatusReport()
        report.decidedAt = try MemoryStore(database).time(of: "decided_at")
        report.zimmer = try load("zimmer", as: StatusReport.Zimmer.self)
        report.lacks = try features().lacking.map(\.sentence).sorted()
        report.readers = try load("readers", as: [StatusReport.Reader].self) ?? []
        report.channels = try load("channels", as: [StatusReport.Channel].self) ?? []
        for index in report.channels.indices {
            let name = report.channels[index].name
            report.channels[index].waiting = try count(of: name, in: .waiting)
            report.channels[index].dead = try count(of: name, in: .dead)
        }
        report.rules = try rules()
        report.held = try held()
        report.deadLetters = try deadLetters()
        return report
    }

    private func count(of channel: String, in state: OutboxStore.State) throws -> Int {
        try database.first(
            "SELECT count(*) FROM outbox WHERE channel = ? AND state = ?", channel, state.rawValue
        ) { $0[0] } ?? 0
    }

    private func rules() throws -> [StatusReport.Rule] {
        let sql = """
            SELECT rules.name, sum(phase = 'pending'), sum(phase = 'active'), sum(phase = 'active' AND hold IS NOT NULL),
                awaits_release, next_slot
            FROM rules LEFT JOIN episodes ON episodes.rule = rules.name GROUP BY rules.name ORDER BY rules.name
            """
        return try database.query(sql) { row in
            StatusReport.Rule(
                name: row[0], pending: row[1], active: row[2], held: row[3], awaitsRelease: row[4],
                nextSlot: row[5])
        }
    }

    private func deadLetters() throws -> [StatusReport.DeadLetter] {
        let sql = """
            SELECT id, channel, rule, coalesce(reason, ''), ended_at FROM outbox WHERE state = 'dead'
            ORDER BY ended_at DESC, position DESC LIMIT 20
            """
        return try database.query(sql) { row in
            StatusReport.DeadLetter(
                id: row[0], channel: row[1], rule: row[2], reason: row[3], at: row[4])
        }.reversed()
    }

    private func held() throws -> [StatusReport.Held] {
        let sql = """
            SELECT rule, subject_type, subject_id, hold, since FROM episodes WHERE hold IS NOT NULL
            UNION ALL
            SELECT rule, subject_type, subject_id, reason, step_since FROM runs
                WHERE state = 'writing' AND reason IS NOT NULL
            ORDER BY 5, 1, 3 LIMIT 1000
            """
        return try database.query(sql) { row in
            let reason: String = row[3]
            return StatusReport.Held(
                rule: row[0], subject: SubjectID(type: row[1], id: row[2]),
                reason: Episode.Hold(rawValue: reason)?.explanation ?? reason, since: row[4])
        }
    }
}

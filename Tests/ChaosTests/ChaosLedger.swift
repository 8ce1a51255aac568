import BotCore
import DemoZimmer
import Foundation

/// What the bot wrote down, read when it is over, beside what the server and the receiver saw.
struct ChaosLedger {
    struct Action {
        var id: Int64
        var state: String
        var detail: String
        var rule: String
        /// What the trail says was asked for.
        var request = ""
        /// Milliseconds since 1970, by Zimmer's clock.
        var attempts: [Int64] = []
    }

    struct Post {
        var id: String
        var state: String
        var reason: String
        var message: String
    }

    let actions: [Action]
    let posts: [Post]
    let unfinishedRuns: [String]
    let notices: [String]

    init(_ stage: ChaosStage) throws {
        let database = try Database(at: stage.databasePath, as: .reader)
        var actions = try database.query(
            """
            SELECT actions.id, actions.state, coalesce(actions.detail, ''), runs.rule FROM actions JOIN runs ON runs.id = actions.run ORDER BY actions.id
            """
        ) { row in
            Action(id: row[0], state: row[1], detail: row[2], rule: row[3])
        }
        let attempts = try database.query(
            "SELECT detail, at / 1000 FROM audit WHERE kind = 'attempting' ORDER BY id"
        ) { row in (detail: row[0] as String, at: row[1] as Int64) }
        let byName = Dictionary(grouping: attempts) { String($0.detail.prefix { $0 != " " }) }
        for index in actions.indices {
            let own = byName["act_\(actions[index].id)"] ?? []
            actions[index].attempts = own.map(\.at)
            actions[index].request = own.last.map { String($0.detail.drop { $0 != " " }.dropFirst()) } ?? ""
        }
        self.actions = actions
        posts = try database.query("SELECT id, state, coalesce(reason, ''), message FROM outbox ORDER BY position") {
            row in
            Post(id: row[0], state: row[1], reason: row[2], message: row[3])
        }
        unfinishedRuns = try database.query(
            "SELECT rule || ' ' || subject_id || ' ' || state FROM runs WHERE state IN ('waiting', 'writing')"
        ) { $0[0] }
        notices = try database.query("SELECT detail FROM audit WHERE kind = 'notice'") { $0[0] }
    }

    /// Whether nothing is under way any more.
    static func isFinal(_ stage: ChaosStage) throws -> Bool {
        let database = try Database(at: stage.databasePath, as: .reader)
        let open = try database.first(
            """
            SELECT (SELECT count(*) FROM runs WHERE state IN ('waiting', 'writing'))
                + (SELECT count(*) FROM actions WHERE state IN ('attempting', 'retrying'))
                + (SELECT count(*) FROM outbox WHERE state = 'waiting')
            """
        ) { $0[0] as Int }
        return open == 0
    }
}

import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

/// What Zimmer lists beside the board, where things come, change and go by chance, and readings fail in every way.
struct RandomLists {
    /// By kind and id: a word that changes.
    private var things: [ListingKind: [Int64: String]] = [:]
    private var nextID: Int64 = 1
    private let decoder = ListingDecoder(webURL: "https://z")

    private static let words: [ListingKind: [String]] = [
        .notification: ["session_failed", "session_needs_input"], .trigger: ["enabled", "failed", "disabled"],
        .elicitation: ["May I?", "Which one?"], .backlog: ["queued", "started"], .clis: ["true", "false"],
    ]

    static let names = ["inbox", "broken", "asked", "waiting", "tools"]
    static let rules = """
          - name: inbox
            watch: notification
            if: "!notification.read && notification.session.status == 'failed'"
            do: [{post: ops, text: "{{ notification.session.title }}"}, {note: {append: seen}}]
            resolved: [{post: ops, text: read}]
          - name: broken
            watch: trigger
            if: trigger.status == "failed"
            for: 1m
            keep: 1m
            do: [{post: ops, text: "{{ trigger.name }}"}, {wait: 2m}, {post: pager, text: still}]
            resolved: [{post: ops, text: works}]
          - name: asked
            watch: elicitation
            if: elicitation.session.status == "needs_input"
            key: elicitation.message
            do: [{post: ops, text: "{{ elicitation.message }} {{ previous == null }}"}, {follow_up: {prompt: answer it}}]
          - name: waiting
            watch: backlog
            existing: skip
            if: backlog.status == "queued" && board.size() > 2
            repeat: 5m
            do: [{post: ops, text: "{{ backlog.id }}"}]
          - name: tools
            watch: clis
            if: clis.unauthenticated.size() > 0
            do: [{post: ops, text: "{{ clis.unauthenticated }}"}]
            resolved: [{post: ops, text: signed in}]

        """

    /// Lets something happen, and reads a list.
    ///
    /// - Parameter sessions: those that things can belong to.
    mutating func reading(
        of kind: ListingKind, sessions: [Int64], previous: Listing?, at now: Timestamp, _ random: inout Moments
    ) throws -> Listing {
        change(kind, &random)
        var reading = Listing(kind, readAt: now)
        let before = Dictionary((previous?.rows ?? []).map { ($0.id, $0) }) { first, _ in first }
        if kind == .clis {
            let words = things[kind, default: [:]].sorted { $0.key < $1.key }
            let tools = words.map { #""tool\#($0.key)": {"authenticated": \#($0.value)}"# }.joined(separator: ", ")
            let json = try JSONDocument(Array(#"{"tools": {\#(tools)}}"#.utf8)).root
            reading.settle(as: decoder.tools(json) { before[$0] })
        } else {
            let rows = try things[kind, default: [:]].sorted { $0.key > $1.key }.map { id, word in
                try row(kind, id, word, of: sessions.isEmpty ? 0 : sessions[Int(id) % sessions.count], before)
            }
            reading.add(rows)
            if Int.random(in: 0..<12, using: &random) == 0 { reading.add([nil]) }
            reading.settle([Int64(reading.rows.count + reading.skippedRows)])
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: reading.fail(ZimmerError(.transport, message: "no answer", reach: .notSent))
        case 1 where kind != .clis: reading.settle([1_000])
        default: break
        }
        return reading
    }

    private func row(
        _ kind: ListingKind, _ id: Int64, _ word: String, of session: Int64, _ before: [SubjectID: Listing.Row]
    ) throws -> Listing.Row {
        let fields =
            switch kind {
            case .notification: #""session_id": \#(session), "notification_type": "\#(word)", "read": \#(id % 3 == 0)"#
            case .trigger: #""name": "Trigger \#(id)", "status": "\#(word)""#
            case .elicitation: #""message": "\#(word)""#
            case .backlog, .clis: #""key": "k\#(id)", "status": "\#(word)""#
            }
        let json = try JSONDocument(Array(#"{"id": \#(id), \#(fields)}"#.utf8)).root
        let row =
            kind == .elicitation
            ? decoder.question(json, of: session) { before[$0] } : decoder.row(json, of: kind) { before[$0] }
        return try #require(row)
    }

    private mutating func change(_ kind: ListingKind, _ random: inout Moments) {
        var known = things[kind, default: [:]]
        for id in known.keys.sorted() {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: known[id] = nil
            case 1, 2: known[id] = Self.words[kind]?.randomElement(using: &random)
            default: break
            }
        }
        if known.count < 2 || Int.random(in: 0..<8, using: &random) == 0 {
            known[nextID] = Self.words[kind]?.randomElement(using: &random)
            nextID += 1
        }
        things[kind] = known
    }
}

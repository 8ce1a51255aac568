import AdapterKit
import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

/// A ledger in a state directory of its own, whose readings are made up.
final class LedgerStage {
    let clock = ManualClock()
    private(set) var ledger: Ledger
    private let folder: TemporaryDirectory
    private var rules: RuleFile
    private let channel: String

    /// - Parameters:
    ///   - rules: the list under `rules:`. Channels are `ops`, which also gets the notices, and `pager`.
    ///   - channel: what `ops` has beside its adapter, in YAML.
    ///   - prepare: fills the database before the process begins.
    init(_ rules: String, channel: String = "", prepare: ((Database, Timestamp) throws -> Void)? = nil) throws {
        folder = try TemporaryDirectory()
        try prepare?(Database(at: StateDirectory(folder.path).databasePath, as: .writer), clock.now())
        self.channel = channel
        self.rules = try Self.load(rules, channel)
        ledger = try Self.open(self.rules, folder, clock)
    }

    static func load(_ rules: String, _ channel: String = "") throws -> RuleFile {
        let text =
            "channels: {ops: {adapter: console, \(channel)}, pager: {adapter: console}}\nnotices: {channels: [ops]}\nrules:\n"
            + rules
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: [ChannelSchema(kind: "console", keys: [])],
            now: Timestamp(seconds: 0))
        return try #require(file, "\(diagnostics)")
    }

    private static let freshness = Observation.Freshness(boardInterval: .seconds(30), healthInterval: .seconds(120))

    private static func open(_ file: RuleFile, _ folder: TemporaryDirectory, _ clock: ManualClock) throws -> Ledger {
        try Ledger(
            .directory(StateDirectory(folder.path)), rules: RuleSet(file.rules), delivery: DeliveryRules(file),
            notices: file.notices, freshness: freshness, clock: clock)
    }

    func replace(_ rules: String) async throws {
        self.rules = try Self.load(rules, channel)
        try await ledger.replace(
            RuleSet(self.rules.rules), delivery: DeliveryRules(self.rules), notices: self.rules.notices,
            freshness: Self.freshness)
    }

    /// Ends the process and starts another on what it stored.
    func restart(after downtime: Duration = .zero) throws {
        clock.clock.advance(by: downtime)
        ledger = try Self.open(rules, folder, clock)
    }

    var directory: StateDirectory { StateDirectory(folder.path) }
    /// The rules in force.
    var file: RuleFile { rules }

    /// How messages go by the rules in force.
    var delivery: DeliveryRules { DeliveryRules(rules) }

    /// Asks as a command does, and gives the daemon's answer.
    func ask(_ command: String, _ argument: String) async throws -> InboxStore.Answer {
        let commander = try StateCommander(StateDirectory(folder.path))
        let request = try commander.submit(command, argument, by: "ann", now: clock.now())
        _ = try await ledger.takeInbox()
        return try #require(try commander.answer(to: request))
    }

    /// What `agenda` would show now.
    func agenda(days: Int64 = 14) throws -> Agenda {
        try StateReader(StateDirectory(folder.path)).agenda(
            now: clock.now(), upTo: clock.now() + .seconds(days * 86_400))
    }

    // MARK: - Readings

    /// A whole board with these sessions, read after some time.
    @discardableResult
    func board(_ sessions: [Int64: String], after time: Duration = .seconds(30)) async throws -> Decision {
        clock.clock.advance(by: time)
        let rows = try sessions.sorted { $0.key < $1.key }.map { try Self.row($0.key, $0.value) }
        return try await ledger.take(.whole(rows), singles: [:])
    }

    /// A board that could not be read.
    @discardableResult
    func failBoard(
        with error: ZimmerError = ZimmerError(.transport, message: "no route to host", reach: .notSent),
        after time: Duration = .seconds(30)
    ) async throws -> Decision {
        clock.clock.advance(by: time)
        var rows = BoardRows()
        rows.error = error
        rows.problem = error.description
        return try await ledger.take(rows, singles: [:])
    }

    private static let decoder = SessionDecoder(webURL: "https://z")

    static func row(_ id: Int64, _ status: String) throws -> SessionRow {
        let json = #"{"id": \#(id), "status": "\#(status)", "created_at": "2026-10-09T08:00:00Z"}"#
        return try #require(decoder.row(JSONDocument(Array(json.utf8)).root))
    }

    /// What was put into the outbox of `ops` and waits there.
    func waiting() async throws -> [String] {
        try await ledger.pending("ops", limit: 100, now: clock.now()).entries.map(\.message.body.plainText)
    }
}

extension BoardRows {
    static func whole(_ rows: [SessionRow]) -> BoardRows { BoardRows(whole: rows) }
}

extension Decision {
    var said: [String] { posts.map(\.text.plain) }
}

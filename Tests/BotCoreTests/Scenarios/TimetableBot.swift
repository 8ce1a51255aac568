import AdapterKit
import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Rules

@testable import BotCore

/// The whole bot on a store of its own: it reads a scripted board, its channels keep what they are given, and time passes
/// when it is told to.
final class TimetableBot {
    /// Something that came of the rules.
    struct Happening: Hashable {
        var at: Timestamp
        /// The channel, `zimmer`, or the kind of a line of the trail.
        var place: String
        var text: String
    }

    let clock: VirtualClock
    let zimmer: ScriptedZimmer
    private(set) var happenings: [Happening] = []
    private let folder: TemporaryDirectory
    private let messages = EventLog<Message>()
    private let environment: BotEnvironment
    private let factory: ChannelFactory
    private var assembly: Assembly
    /// The same rules, loaded once more.
    private var twin: Assembly?
    private var rules: TimetableRules
    private var bot: Bot?
    private var reader: StateReader?
    private var seen = (messages: 0, calls: 0, trail: Int64(0))

    init(_ rules: TimetableRules, at start: Timestamp) throws {
        let clock = VirtualClock(start)
        let zimmer = ScriptedZimmer(clock)
        (self.clock, self.zimmer) = (clock, zimmer)
        environment = BotEnvironment(
            clock: clock, version: "test", log: SilentLog(), makeTransport: { _ in zimmer }, random: { 1 })
        folder = try TemporaryDirectory(inMemory: true)
        factory = ChannelFactory([RecordingKind("recording", into: messages)])
        self.rules = rules
        assembly = try Self.assemble(rules, factory, environment)
        try Self.emptyStore.get().write(to: URL(filePath: StateDirectory(folder.path).databasePath))
        try begin()
    }

    /// As all of them begin: to make the tables of a store takes as long as a whole timetable.
    private static let emptyStore = Result {
        let folder = try TemporaryDirectory(inMemory: true)
        let path = StateDirectory(folder.path).databasePath
        try Migrator(migrations: Schema.migrations).migrate(Database(at: path, as: .writer))
        return try Data(contentsOf: URL(filePath: path))
    }

    private static func assemble(
        _ rules: TimetableRules, _ factory: ChannelFactory, _ environment: BotEnvironment
    ) throws -> Assembly {
        let secrets = SecretResolver(environment: ["KEY": "zmr_key"], folder: ".")
        return try Assembly(
            rules.load(factory.schemas), environment: environment, secrets: secrets, channels: factory)
    }

    // MARK: - What happens to it

    /// Ends the process; time may pass until it begins again.
    func end() { bot = nil }

    func begin() throws {
        bot = nil
        bot = try Bot(assembly, at: .directory(StateDirectory(folder.path)), environment: environment)
    }

    func reload(_ rules: TimetableRules) async throws {
        self.rules = rules
        assembly = try Self.assemble(rules, factory, environment)
        twin = nil
        try await putInForce()
    }

    /// Loads the rules in force again.
    func reload() async throws {
        let other = try twin ?? Self.assemble(rules, factory, environment)
        twin = assembly
        assembly = other
        try await putInForce()
    }

    private func putInForce() async throws {
        try await bot?.ledger.replace(
            assembly.rules, delivery: assembly.delivery, notices: assembly.file.notices,
            freshness: assembly.freshness)
    }

    /// As `zimmer-bot COMMAND ARGUMENT`.
    func ask(_ command: String, _ argument: String) throws {
        _ = try StateCommander(StateDirectory(folder.path)).submit(command, argument, by: "ann", now: clock.now())
    }

    // MARK: - Time

    /// Reads everything, decides, writes and delivers.
    func poll() async throws {
        try await round(assembly.readers)
    }

    /// Does what is due without a reading.
    func tick() async throws {
        try await round([])
    }

    /// Decides before a channel looks at its clock, as the timekeeper does within half a minute.
    func notice() async throws {
        _ = try await bot?.ledger.tick()
    }

    private func round(_ readers: Set<Assembly.ReaderName>) async throws {
        guard let bot else { return }
        await bot.runOnce(assembly, reading: readers)
        try take()
    }

    /// Lets what comes due before `end` happen at its instant.
    func pass(to end: Timestamp) async throws {
        var last: Timestamp?
        while let next = try await wake(after: last), next < end {
            clock.pass(to: next)
            try await tick()
            last = next
        }
        clock.pass(to: end)
    }

    /// When something is due although nothing is read.
    private func wake(after last: Timestamp?) async throws -> Timestamp? {
        guard let ledger = bot?.ledger else { return nil }
        var local = [await ledger.deadline]
        for channel in ["ops", "pager"] {
            local.append(try await ledger.pending(channel, limit: 1, now: clock.now()).nextRelease)
        }
        let attempt = try await ledger.nextAttempt(after: await ledger.instant())
        let times = local.map { $0.map { $0 - clock.isOff } } + [attempt]
        return times.compactMap { $0 }.filter { time in last.map { time > $0 } ?? true }.min()
    }

    // MARK: - What came of it

    private func take() throws {
        let now = clock.now() - clock.isOff
        let new = messages.elements.dropFirst(seen.messages)
        seen.messages += new.count
        for message in new {
            happenings.append(
                Happening(
                    at: now, place: message.kind == .notice ? "notice" : message.channel, text: message.body.items))
        }
        let calls = zimmer.update { Array($0.calls.dropFirst(seen.calls)) }
        seen.calls += calls.count
        for call in calls { happenings.append(Happening(at: now, place: "zimmer", text: call)) }
        var filter = AuditStore.Filter()
        filter.after = seen.trail
        let reader = try self.reader ?? StateReader(StateDirectory(folder.path))
        self.reader = reader
        for line in try reader.audit(filter) where line.kind != "notice" {
            seen.trail = line.id
            let subject = line.subject.map { "\($0.id) " } ?? ""
            happenings.append(Happening(at: now, place: line.kind, text: "\(subject)\(line.detail)"))
        }
    }
}

extension TextTree {
    /// The items of a list on one line.
    fileprivate var items: String {
        let lines = plainText.split(separator: "\n").map { line in
            line.drop { "-•* ".contains($0) }
        }
        return lines.joined(separator: " + ")
    }
}

private struct SilentLog: AdapterLog {
    func write(_ level: AdapterLogLevel, _ sentence: StaticString, _ values: [(name: String, value: String)]) {}
}

import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

/// A copy of the store, beside a bot that runs or after one that ended.
@Suite struct StoreCopyTests {
    private let directory: TemporaryDirectory
    private let state: StateDirectory
    private let decidedAt = Timestamp(seconds: 1_800_000_000)
    private let subject = SubjectID(type: "session", id: "7")

    /// Somebody decided with a clock of Zimmer's that is an hour behind.
    init() throws {
        directory = try TemporaryDirectory()
        state = StateDirectory(directory.path)
        let opened = try StoreLocation.directory(state).open(now: decidedAt)
        let store = MemoryStore(opened.database)
        try store.save(RuleMemory(meaning: "1"), named: "r", now: decidedAt)
        let episode = Episode(phase: .pending, key: "", since: decidedAt - .seconds(60))
        try store.save(episode, of: RuleSubject(rule: "r", subject: subject))
        try store.setMeta("decided_at", String(decidedAt.microseconds))
        try StatusStore(opened.database).save(
            zimmer: .init(reachable: true, signIn: "ok", skew: -3_600_000_000), readers: [])
    }

    @Test(arguments: [(10, false), (89, false), (91, true), (86_400, true)])
    func `time goes on in it while the bot decides, and stands still when that was too long ago`(
        seconds: Int, standsStill: Bool
    ) throws {
        let now = decidedAt + .seconds(3_600 + seconds)
        let memory = try StoreLocation.copy(of: state).open(now: now, liveliness: .seconds(90)).memory
        let episode = try #require(memory.rules["r"]?.episodes[subject])
        #expect(episode.frozenSince == (standsStill ? decidedAt : nil))
    }

    @Test func `a page with times of both clocks says which is which`() throws {
        #expect(
            try StateReader(state).clockNote()
                == "Zimmer's clock is 1h behind this machine's: slots, quiet hours, mutes and messages go by this machine's,"
                + " all else by Zimmer's")
        #expect(ClockNote(skew: .seconds(60)) == nil)
        #expect(
            ClockNote(skew: .seconds(90))?.text.hasPrefix("Zimmer's clock is 1m30s ahead of this machine's: ") == true)
    }
}

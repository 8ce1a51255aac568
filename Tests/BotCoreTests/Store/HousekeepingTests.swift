import AdapterKit
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct HousekeepingTests {
    private let now = Timestamp(seconds: 2_000_000_000)

    private func store() throws -> Database {
        let database = try Database.inMemory()
        try Migrator(migrations: Schema.migrations).migrate(database)
        return database
    }

    @Test func `the trail is kept for 90 days`() throws {
        let database = try store()
        let audit = AuditStore(database)
        try audit.append(at: now - .seconds(91 * 86_400), kind: "started", rule: "old", detail: "")
        try audit.append(at: now - .seconds(89 * 86_400), kind: "started", rule: "young", detail: "")
        try Housekeeping(database).clean(now: now)
        #expect(try audit.entries(AuditStore.Filter()).map(\.rule) == ["young"])
    }

    @Test func `a value of 'once' is kept for 400 days`() throws {
        let database = try store()
        let memory = MemoryStore(database)
        let id = SubjectID(type: "session", id: "7")
        try memory.use(OnceKey(rule: "r", subject: id, value: "old"), now: now - .seconds(401 * 86_400))
        try memory.use(OnceKey(rule: "r", subject: id, value: "young"), now: now - .seconds(399 * 86_400))
        try Housekeeping(database).clean(now: now)
        #expect(try memory.load(now: now).once.map(\.value) == ["young"])
    }

    @Test func `a message that waits is never forgotten`() throws {
        let database = try store()
        let ago = now - .seconds(500 * 86_400)
        let message = Message(notice: "hello", channel: "ops", at: ago)
        try OutboxStore(database).append(OutboxStore.Entry(message: message), store: "s", now: ago)
        try Housekeeping(database).clean(now: now)
        #expect(try OutboxStore(database).pending("ops", limit: 9, now: now).page.entries.count == 1)
    }
}

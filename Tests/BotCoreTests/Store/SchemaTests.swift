import AdapterKit
import CEL
import Testing

@testable import BotCore

/// Files that earlier versions wrote.
@Suite struct SchemaTests {
    private static let failed = """
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{post: ops, text: "{{ session.id }} failed"}]
        """

    /// A message as version 1 stored it.
    private static func message(_ text: String, urgency: String) -> String {
        #"{"kind":"firing","urgency":"\#(urgency)","channel":"ops","rule":"failed","#
            + #""subject":{"type":"session","id":"7","title":"Fix login"},"episode":1,"#
            + #""time":{"seconds":1791547320,"nanoseconds":5},"title":"Title","#
            + #""body":{"blocks":[{"paragraph":{"_0":[{"text":{"_0":"\#(text)"}}]}}]},"markdown":"\#(text)"}"#
    }

    @Test func `what waited in a file of version 1 goes, under its id and in order`() async throws {
        let sql = """
            INSERT INTO outbox (id, rule, channel, kind, urgency, message, state, attempts, created_at)
                VALUES (?, 'failed', ?, 'firing', ?, ?, 'waiting', ?, ?)
            """
        let stage = try LedgerStage(Self.failed) { database, now in
            try Migrator(migrations: [Schema.migrations[0]]).migrate(database)
            for (id, channel, urgency, attempts) in [
                ("dlv_a1", "ops", "normal", 3), ("dlv_a2", "ops", "high", 0), ("dlv_a3", "ops", "low", 0),
                ("dlv_a4", "gone", "normal", 0),
            ] {
                try database.run(
                    sql, id, channel, urgency, Self.message("text of \(id)", urgency: urgency), attempts,
                    now.microseconds)
            }
        }
        try await stage.replace(Self.failed)
        let adapter = ScriptedAdapter(recognizesRepeats: false)
        await stage.workOff(adapter)
        #expect(adapter.given.map(\.id.text) == ["dlv_a2", "dlv_a1", "dlv_a3"])
        #expect(adapter.given.map(\.attempt) == [1, 4, 1])
        #expect(adapter.said.first == "text of dlv_a2")
        #expect(adapter.given.map(\.message.title) == ["Title", "Title", "Title"])
        #expect(try await stage.waiting().isEmpty)
        #expect(try await stage.ask("release", "dlv_a4").isDone == false, "its channel is gone")
        #expect(try await stage.ask("release", "dlv_a4").text.contains("gone"))
    }
}

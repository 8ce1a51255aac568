import CEL
import Rules
import Testing

@testable import BotCore

/// What the bot says of a Zimmer that it cannot read.
@Suite struct LedgerOutageTests {
    private let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: failed}]
        """

    /// Everything that was said, in the order in which it was.
    private func said(_ stage: LedgerStage) async throws -> [String] { try await stage.waiting() }

    @Test func `one poll that fails is no outage`() async throws {
        let stage = try LedgerStage(rules)
        for _ in 1...20 {
            try await stage.board([7: "running"])
            try await stage.failBoard()
        }
        #expect(try await said(stage).isEmpty)
    }

    @Test func `an outage is said once it makes readings stale, and once it is over`() async throws {
        let stage = try LedgerStage(rules)
        try await stage.board([7: "running"])
        for _ in 1...10 { try await stage.failBoard() }
        #expect(try await said(stage).isEmpty)
        for _ in 1...100 { try await stage.failBoard() }
        #expect(try await said(stage) == ["Zimmer cannot be reached: no route to host"])
        try await stage.board([7: "running"])
        let all = try await said(stage)
        #expect(all.count == 2)
        let summary = try #require(all.last)
        #expect(summary.hasPrefix("Zimmer can be read again. It was away for 55 min, since "))
        #expect(summary.hasSuffix(": 110 readings failed, 1 rule could not tell (failed)"))
        for _ in 1...100 { try await stage.board([7: "running"]) }
        #expect(try await said(stage).count == 2)
    }

    @Test func `however often the bot is killed meanwhile, it is one message`() async throws {
        let stage = try LedgerStage(rules)
        try await stage.board([7: "running"])
        for _ in 1...12 {
            for _ in 1...4 { try await stage.failBoard() }
            try stage.restart(after: .seconds(5))
            _ = try await stage.ledger.tick()
        }
        #expect(try await said(stage) == ["Zimmer cannot be reached: no route to host"])
        try await stage.board([7: "running"])
        let all = try await said(stage)
        #expect(all.count == 2)
        #expect(all.last?.contains("48 readings failed") == true)
        try stage.restart()
        for _ in 1...61 { try await stage.board([7: "running"]) }
        #expect(try await said(stage).count == 2)
    }

    @Test func `another trouble in the same outage is said too, and one end is`() async throws {
        let stage = try LedgerStage(rules)
        for _ in 1...20 { try await stage.failBoard() }
        let key = ZimmerError(.signIn, status: 401, label: "Unauthorized", message: "Invalid or missing API key")
        for _ in 1...20 { try await stage.failBoard(with: key) }
        for _ in 1...20 { try await stage.failBoard() }
        let all = try await said(stage)
        #expect(all.count == 2)
        #expect(
            all.last?.hasPrefix("Zimmer does not accept the API key: Invalid or missing API key. Give the bot") == true)
        try await stage.board([7: "running"])
        let ends = try await said(stage).dropFirst(2)
        #expect(ends.map { String($0.prefix(25)) } == ["Zimmer can be read again."])
    }

    @Test func `slots that are missed or late are counted`() async throws {
        let stage = try LedgerStage(
            rules + """

                  - name: hourly
                    schedule: "0 * * * *"
                    if: size(board) >= 0
                    missed: once
                    do: [{post: pager, text: hello}]
                """)
        try await stage.board([7: "running"])
        for _ in 1...360 { try await stage.failBoard() }
        try await stage.board([7: "running"])
        let summary = try #require(try await said(stage).last)
        #expect(summary.contains("360 readings failed, 2 slots of schedules were missed, 1 slot runs late"))
    }

    @Test(arguments: [
        (
            SecretReference.Source.file("/etc/zimmer-bot/key"),
            "put it into the file /etc/zimmer-bot/key, which is read at reload"
        ),
        (.environment("ZIMMER_API_KEY"), "set ZIMMER_API_KEY for the bot's process and restart it"),
        (.credential("zimmer-key"), "put it where LoadCredential=zimmer-key takes it from, and restart the bot"),
    ])
    func `a key that is not accepted is said with the place for a new one`(
        source: SecretReference.Source, words: String
    ) throws {
        let reference = SecretReference(source, position: SourcePosition(file: "rules.yaml", line: 1, column: 1))
        let advice = ZimmerAdvice(ZimmerSettings(url: "https://z", apiKey: reference))
        let sentence = advice.sentence(for: .signIn, "Zimmer does not accept the API key: no")
        #expect(sentence.contains("Settings → API keys"))
        #expect(sentence.contains(words))
    }
}

import CEL
import Testing

@testable import Rules

@Suite struct LoadTests {
    private func rule(_ text: String) throws -> Rule {
        let (rule, diagnostics) = TestWorld.load(rule: text)
        #expect(diagnostics.map(\.description) == [])
        return try #require(rule)
    }

    @Test func `defaults hold until a rule says otherwise`() throws {
        let text = """
            zimmer:
              url: https://z.example.com/
              web_url: https://www.example.com
              api_key: {credential: zimmer}
              poll: {board: 1m}
              limit: {per_hour: 5}
            channels: {ops: {adapter: console, color: never}}
            notices: {channels: ops, cannot_tell_after: 1h30m}
            defaults: {timezone: Europe/Berlin, mode: dry_run, existing: skip, limit: {per_poll: 3}}
            rules:
              - {name: a, watch: session, do: [hide]}
              - {name: b, watch: session, mode: live, existing: run, timezone: UTC, limit: {per_hour: 9}, do: [hide]}
              - {name: c, watch: session, enabled: false, do: [hide]}
            """
        let (loaded, diagnostics) = TestWorld.load(text)
        #expect(diagnostics.map(\.description) == [])
        let file = try #require(loaded)
        #expect(file.zimmer?.url == "https://z.example.com")
        #expect(file.zimmer?.webURL == "https://www.example.com")
        #expect(file.zimmer?.apiKey.source == .credential("zimmer"))
        #expect(file.zimmer?.polling.board == .seconds(60))
        #expect(file.zimmer?.limit.perHour == 5)
        #expect(file.zimmer?.limit.perDay == 600)
        #expect(file.notices?.cannotTellAfter == .seconds(5_400))
        #expect(file.channels.first?.values == ["color": .text("never")])
        #expect(file.rules.map(\.mode) == [.dryRun, .live, .off])
        #expect(file.rules.map(\.existing) == [.skip, .run, .skip])
        #expect(file.rules.map(\.timeZone) == ["Europe/Berlin", "UTC", "Europe/Berlin"])
        #expect(file.rules.map(\.limit.perPoll) == [3, 3, 3])
        #expect(file.rules.map(\.limit.perHour) == [60, 9, 60])
    }

    @Test func `channels are read by their kind's schema`() throws {
        let text = """
            channels:
              hook:
                adapter: webhook
                url: {file: secrets/url}
                topic: "#ops: all"
                timeout: 1m30s
                retries: 3
                verbose: true
                tags: [1.10, no]
                headers: {X-A: "01", Authorization: {env: TOKEN}}
            """
        let (file, diagnostics) = TestWorld.load(text)
        #expect(diagnostics.map(\.message) == ["there is no 'zimmer': nothing can run without its 'url' and 'api_key'"])
        let channel = try #require(file?.channels.first)
        #expect(channel.values["topic"] == .text("#ops: all"))
        #expect(channel.values["timeout"] == .duration(.seconds(90)))
        #expect(channel.values["retries"] == .integer(3))
        #expect(channel.values["verbose"] == .boolean(true))
        #expect(channel.values["tags"] == .textList(["1.10", "no"]))
        #expect(channel.secrets.map(\.description) == ["{file: secrets/url}", "{env: TOKEN}"])
        guard case .textMap(let headers) = channel.values["headers"] else {
            Issue.record("headers are a map")
            return
        }
        #expect(headers.map(\.name) == ["X-A", "Authorization"])
        #expect(headers.first?.value == .text("01"))
    }

    @Test(arguments: [
        ("vars.yes", "bool"), ("vars.answer", "int"), ("vars.rate", "double"), ("vars.sha", "string"),
        ("vars.quoted", "string"), ("vars.hosts", "list(string)"), ("vars.owners.api", "string"),
        ("vars.mixed", "list(dyn)"),
    ])
    func `vars have the types that they look like`(expression: String, type: String) throws {
        let text =
            TestWorld.head + """
                vars: {yes: true, answer: 42, rate: 1.10, sha: 0123, quoted: "7", hosts: [a, b], owners: {api: ann}, mixed: [1, a]}
                rules:
                  - {name: a, watch: session, let: {x: "\(expression)"}, do: [hide]}
                """
        let (file, diagnostics) = TestWorld.load(text)
        #expect(diagnostics.map(\.description) == [])
        #expect(file?.rules.first?.bindings.first?.program.resultType.description == type)
    }

    @Test func `a misspelt var is an error`() {
        let source = MarkedText(
            TestWorld.head
                + "vars: {limit: 3}\nrules:\n  - {name: a, watch: session, if: session.id > vars.↓limt, do: [hide]}\n")
        #expect(TestWorld.load(source.text).diagnostics.map(\.place) == source.marks)
    }

    @Test func `let names know whether they depend on the subject`() throws {
        let rule = try rule(
            """
            name: a
            watch: session
            let:
              crowded: board.size() > 10
              mine: session.title.startsWith("a")
              both: mine && crowded
            if: both
            do: [hide]
            """)
        #expect(rule.bindings.map(\.readsSubject) == [false, true, true])
        #expect(rule.bindings.map(\.slot) == rule.bindings.map { rule.environment.slot(of: $0.name) })
    }

    @Test func `steps are read with their values`() throws {
        let rule = try rule(
            """
            name: a
            watch: session
            do:
              - archive
              - archive: {from: [waiting]}
              - snooze: {until: monday 09:00}
              - snooze: {for: "{{ session.idle }}"}
              - favorite: true
              - favorite: "{{ !session.favorited }}"
              - note: {append: "x {{ session.id }}"}
              - log: {text: done, level: debug}
              - follow_up: {prompt: Go on}
                session: 12
              - show:
                session: "{{ board[0].id }}"
              - post: "{{ session.id > 3 ? ['ops'] : [] }}"
                text: x
            """)
        let names = rule.steps.map { step in
            switch step.action {
            case .post: "post"
            case .wait: "wait"
            case .reply: "reply"
            case .write(let write): write.name
            }
        }
        #expect(
            names == [
                "archive", "archive", "snooze", "snooze", "favorite", "favorite", "note", "log", "follow_up", "show",
                "post",
            ])
        guard case .write(let archive) = rule.steps[1].action, case .archive(let from) = archive.kind else {
            Issue.record("the second step archives")
            return
        }
        #expect(from == ["needs_input", "failed", "waiting"])
        guard case .write(let followUp) = rule.steps[8].action, case .constant(12) = followUp.id else {
            Issue.record("the follow-up names its session")
            return
        }
    }

    @Test(arguments: [
        ("today", CostsWindow(.today)), ("7d", CostsWindow(.back(.seconds(604_800)))),
        ("{window: month, agent_root: api}", CostsWindow(.month, agentRoot: "api")),
    ])
    func `costs takes a window`(text: String, window: CostsWindow) throws {
        #expect(try rule("name: a\nwatch: costs\ncosts: \(text)\ndo: [{post: ops, text: x}]").costs == window)
    }

    @Test func `a schedule sees its slot`() throws {
        let rule = try rule(
            "name: a\nschedule: \"0 9 * * *\"\nif: slot.weekday != \"sunday\" && !slot.missed\ndo: [{post: ops, text: x}]"
        )
        #expect(rule.environment.slot(of: "slot") != nil)
    }

    @Test func `only what a rule means changes its meaning`() throws {
        let base = "name: a\nwatch: session\nif: session.id > 3\nfor: 5m\ndo: [hide]"
        let meaning = try rule(base).meaning
        #expect(try rule(base.replacing("do: [hide]", with: "do: [show]\ndescription: b")).meaning == meaning)
        #expect(try rule(base.replacing("name: a", with: "name: b")).meaning == meaning)
        for (old, new) in [("id > 3", "id > 4"), ("5m", "6m"), ("watch: session", "watch: session\nkey: session.id")] {
            #expect(try rule(base.replacing(old, with: new)).meaning != meaning)
        }
        // The same in every process: it is compared with what was stored.
        #expect(meaning == "289500d93be9ad2e")
    }

    @Test(arguments: [
        ("30s", 30), ("5m", 300), ("2h", 7_200), ("3d", 259_200), ("1w", 604_800), ("1h30m", 5_400), ("0s", 0),
        ("1d12h", 129_600),
    ])
    func `durations are numbers with units`(text: String, seconds: Int64) {
        #expect(Duration(ruleText: text) == .seconds(seconds))
    }

    @Test(arguments: ["", "5", "m", "1.5h", "-5m", "5 m", "5min", "1h 30m", "99999999999s", "9999999999w", "٣m"])
    func `anything else is no duration`(text: String) {
        #expect(Duration(ruleText: text) == nil)
    }
}

@Suite struct HostileFileTests {
    private static let example = """
        zimmer: {url: "https://z.example.com", api_key: {env: KEY}, poll: {board: 30s}}
        channels: {ops: {adapter: webhook, url: {env: A}, headers: {a: b}}}
        vars: &v {a: 1, b: [x, "y"]}
        rules:
          - name: a
            watch: session
            let: {x: session.id + 1}
            if: >
              x > 3 && session.title.matches("a+")
              || within("mon 09:00-10:00")
            for: 1h30m
            do:
              - post: [ops]
                text: |
                  **{{ session.title }}** é {{ "{{" }}
                  {{ session.prs.sortBy(p, p.url) }}
              - snooze: {until: "monday 09:00"}
          - name: b
            schedule: "0 9 1,15 * mon"
            costs: {window: 7d}
            do: [{log: {text: 'it''s'}, session: "{{ 1 }}"}]
        """

    /// Whatever is done to a file, it is read to the end, and every place that is named lies in it.
    @Test func `a damaged file is never more than wrong`() {
        var random = SplitMix(seed: 7)
        let source = Array(Self.example.utf8)
        let bytes = Array("{}[]:,-#&*!|>'\"%@` \n\t\\xé0".utf8)
        for _ in 0..<400 {
            var damaged = source
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged.remove(at: index)
                case 1: damaged.insert(bytes.randomElement(using: &random) ?? 0, at: index)
                case 2: damaged[index] = bytes.randomElement(using: &random) ?? 0
                default: damaged.removeSubrange(index..<min(damaged.count, index + 20))
                }
            }
            let lines = damaged.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let (file, diagnostics) = RuleFile.load(
                damaged, file: "x", vocabulary: TestWorld.vocabulary, channels: TestWorld.channels,
                now: instant("2026-10-09T12:00:00Z"))
            #expect((file == nil) == diagnostics.hasErrors)
            for diagnostic in diagnostics {
                #expect((1...lines.count).contains(diagnostic.position.line))
                #expect(diagnostic.position.column >= 1)
            }
        }
    }

    static let files: [String] = [
        "rules:\n" + String(repeating: "  - {name: a, watch: session, do: [hide]}\n", count: 1_000),
        "rules: [" + String(repeating: "{name: é, watch: session, do: [hid]},", count: 1_000) + "]",
        TestWorld.head + "rules:\n  - {name: a, watch: session, do: [{post: ops, text: \""
            + String(repeating: "{{ 1 }}", count: 100_000) + "\"}]}",
        TestWorld.head + "rules:\n  - {name: a, watch: session, do: [{post: ops, text: '{{ "
            + String(repeating: "\"\\", count: 300_000) + "'}]}",
        "vars: {" + (0..<4_000).map { "a\($0): {}" }.joined(separator: ", ") + "}",
        "zimmer: {api_key: " + String(repeating: "x", count: 900_000) + "}",
        "vars:\n  a: &a " + String(repeating: "x", count: 900_000) + "\n"
            + (0..<99).map { "  b\($0): *a\n" }.joined(),
    ]

    /// What is quadratic takes longer than the limit.
    @Test(.timeLimit(.minutes(10)), arguments: files.indices)
    func `a large file is read to its end, or refused`(row: Int) {
        let (file, diagnostics) = TestWorld.load(Self.files[row])
        #expect((file == nil) == diagnostics.hasErrors)
    }
}

/// A small generator that gives the same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

import CEL
import Testing

@testable import Rules

/// What a post carries beside its text.
@Suite struct PostTests {
    /// The rules of a file whose channel is `ops`.
    private func rule(_ text: String, defaults: String = "{}") throws -> Rule {
        let lines = text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let source = """
            channels: {ops: {adapter: console}}
            defaults: \(defaults)
            rules:
              - name: test
                watch: session
            \(lines)
            """
        let (file, diagnostics) = RuleFile.load(
            source.utf8, file: "rules.yaml", vocabulary: TestWorld.vocabulary, channels: TestWorld.channels,
            now: Timestamp(seconds: 0))
        return try #require(file?.rules.first, "\(diagnostics)")
    }

    private func posts(_ rule: Rule, _ ids: Int...) throws -> [PostDraft] {
        var memory = Memory()
        var world = World(now: Timestamp(seconds: 1_800_000_000))
        let subjects = ids.map { id in
            Subject(
                SubjectID(type: "session", id: "\(id)"),
                Object(TestWorld.session, named: ["id": .int(Int64(id)), "status": .string("failed")]))
        }
        world.watched["session"] = .whole(Subjects(subjects, revision: 1))
        return RuleSet([rule]).decide(world, &memory).posts
    }

    @Test(arguments: [
        ("", "session 7"), ("thread: session", "session 7"), ("thread: none", nil), ("thread: costs", "name costs"),
    ])
    func `messages about one session stand together unless the rule says otherwise`(
        key: String, thread: String?
    ) throws {
        let rule = try rule("do: [{post: ops, text: x, \(key)}]")
        #expect(try posts(rule, 7).map(\.thread) == [thread])
    }

    @Test func `a group has the value of its expression, and an urgent post has none`() throws {
        let rule = try rule(
            """
            group: {by: session.id % 2, interval: 1h}
            do: [{post: ops, text: x}, {post: ops, urgency: high, text: y}]
            """)
        let groups = try posts(rule, 7, 8, 9).map(\.group)
        #expect(groups.map(\.?.value) == ["i:1", nil, "i:0", nil, "i:1", nil])
        #expect(groups[0]?.wait == .seconds(30))
        #expect(groups[0]?.interval == .seconds(3_600))
    }

    @Test func `a group of which it cannot be told is one of its own`() throws {
        let rule = try rule("group: {by: session.pr.url}\ndo: [{post: ops, text: x}]")
        #expect(try posts(rule, 7, 8).map(\.group?.value) == ["", ""])
    }

    @Test func `urgent posts call people, others where they say so`() throws {
        let rule = try rule(
            "do: [{post: ops, text: x}, {post: ops, mention: true, text: y}, {post: ops, urgency: high, text: z}]")
        #expect(try posts(rule, 7).map(\.mentions) == [false, true, true])
    }

    @Test func `urgency and quiet hours have defaults`() throws {
        let rule = try rule(
            "timezone: Asia/Tokyo\ndo: [{post: ops, text: x}]", defaults: "{urgency: low, quiet: \"22:00-07:00\"}")
        #expect(try posts(rule, 7).map(\.urgency) == [.low])
        #expect(rule.quiet == QuietHours(["22:00-07:00"], timeZone: "Asia/Tokyo"))
    }

    @Test func `neither a message's text nor its group resets a rule`() throws {
        let one = try rule("do: [{post: ops, text: x}]")
        let other = try rule(
            "group: {by: session.id}\nquiet: \"22:00-07:00\"\ndo: [{post: ops, update: true, text: y}]")
        #expect(one.meaning == other.meaning)
    }
}

@Suite struct QuietHoursTests {
    private func time(_ text: String) throws -> Timestamp { try Timestamp(parsing: text) }

    @Test(arguments: [
        ("2026-10-09T21:59:59Z", nil), ("2026-10-09T22:00:00Z", "2026-10-10T07:00:00Z"),
        ("2026-10-10T06:59:59Z", "2026-10-10T07:00:00Z"), ("2026-10-10T07:00:00Z", nil),
    ])
    func `a night is quiet from its beginning to its end`(now: String, end: String?) throws {
        let hours = try #require(QuietHours(["22:00-07:00"], timeZone: "UTC"))
        #expect(hours.end(at: try time(now)) == (try end.map(time)))
    }

    @Test func `windows that touch or overlap are one`() throws {
        let hours = try #require(QuietHours(["22:00-07:00", "sat-sun 00:00-24:00"], timeZone: "UTC"))
        // From Friday evening to Monday morning.
        #expect(hours.end(at: try time("2026-10-09T23:00:00Z")) == (try time("2026-10-12T07:00:00Z")))
    }

    @Test func `a night in which clocks change ends when the wall says so`() throws {
        let hours = try #require(QuietHours(["22:00-07:00"], timeZone: "Europe/Berlin"))
        #expect(hours.end(at: try time("2026-10-24T21:00:00Z")) == (try time("2026-10-25T06:00:00Z")))
        #expect(hours.end(at: try time("2026-03-28T22:00:00Z")) == (try time("2026-03-29T05:00:00Z")))
    }

    @Test(arguments: ["22:00-02:30", "22:00-03:00", "02:00-02:15", "02:45-05:00"])
    func `quiet that holds has its end ahead, in the hour that comes twice too`(window: String) throws {
        let hours = try #require(QuietHours([window], timeZone: "Europe/Berlin"))
        let evening = try time("2026-10-24T18:00:00Z")
        for minute in 0..<900 {
            let now = evening + .seconds(60 * minute)
            if let end = hours.end(at: now) { #expect(end > now) }
        }
    }

    @Test(arguments: [
        (["00:00-24:00"], true), (["00:00-12:00", "12:00-24:00"], true), (["mon-fri 00:00-24:00"], false),
        (["00:00-23:59"], false), (["sat-sun 00:00-24:00", "mon-fri 00:00-24:00"], true),
    ])
    func `hours that never end are known for it`(windows: [String], isEndless: Bool) throws {
        #expect(try #require(QuietHours(windows, timeZone: "UTC")).isEndless == isEndless)
    }

    @Test func `what is no window is refused`() {
        #expect(QuietHours(["22-07"], timeZone: "UTC") == nil)
    }
}

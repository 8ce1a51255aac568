import CEL
import Rules
import Testing

@testable import BotCore
@testable import zimmer_bot

/// Compares docs/explain.md with what `explain` prints about the rules and the sessions that it shows.
@Suite struct ExplainPageTests {
    private let page: DocumentationPage
    private let rules: RuleSet
    private let subjects: [Subject]
    private let now: Timestamp
    private let palette = Palette(isOn: false)

    init() throws {
        page = try DocumentationPage("docs/explain.md")
        let text = """
            channels: {ops: {adapter: console}}
            rules:
            \(try #require(page.blocks.first { $0.kind == "yaml" }).text)
            """
        let moment = try Timestamp(parsing: "2026-10-09T12:00:00Z")
        now = moment
        let (file, _) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer,
            channels: Configuration.factory(Output(results: CapturedText(), diagnostics: CapturedText())).schemas,
            now: moment)
        rules = RuleSet(try #require(file).rules)
        let json = try #require(page.blocks.first { $0.kind == "json" })
        let decoder = SessionDecoder(webURL: "https://zimmer.example.com")
        var tracker = SessionTracker()
        subjects = try JSONDocument(Array(json.text.utf8)).root.elements.map { row in
            let session = try #require(decoder.row(row))
            let reading = tracker.reading(of: session, previous: nil, at: moment)
            return Subject(SubjectID(type: "session", id: String(reading.id)), reading.object)
        }
    }

    /// The block that follows a command.
    private func shown(after command: String) throws -> String {
        let blocks = page.blocks
        let index = try #require(blocks.firstIndex { $0.kind == "sh" && $0.text == "zimmer-bot \(command)\n" })
        return blocks[index + 1].text
    }

    /// The world of a poll, half a minute after one that was like it.
    private func decided() -> (world: World, before: Memory, after: Memory) {
        var memory = Memory()
        var before = memory
        var world = World(now: now)
        for (revision, time) in [now - .seconds(30), now].enumerated() {
            before = memory
            let board = Value.list(subjects.map { .object($0.value) })
            world = World(
                now: time, variables: ["board": .init(board, revision: UInt64(revision), readAt: time)],
                watched: ["session": .whole(Subjects(subjects, revision: UInt64(revision)))])
            _ = rules.decide(world, &memory)
        }
        return (world, before, memory)
    }

    @Test(arguments: [("failed-session", "7"), ("finish-merge", "9")])
    func `a subject is explained as the page shows`(rule: String, id: String) throws {
        let (world, before, after) = decided()
        let explanation = rules.explain(
            try #require(rules.rule(rule)), subjects.first { $0.id.id == id }, world: world, before: before,
            after: after)
        let (text, page) = (explanation.text(.init(), palette), try shown(after: "explain -c rules.yaml \(rule) \(id)"))
        #expect(text == page)
    }

    @Test func `a rule is summed up as the page shows`() throws {
        let (world, before, after) = decided()
        let overview = rules.overview(
            try #require(rules.rule("failed-session")), subjects, world: world, before: before, after: after)
        let (text, page) = (overview.text(.init(), palette), try shown(after: "explain -c rules.yaml failed-session"))
        #expect(text == page)
    }

    @Test func `near misses are shown as on the page`() throws {
        let (world, _, _) = decided()
        var search = NearMissSearch(rules)
        search.look(at: world)
        let since = now - .seconds(51 * 3_600)
        var misses = search.nearMisses()
        for index in misses.indices { misses[index].since = since }
        let report = NearMissReport(from: since, to: now, recordedSince: since, rules: misses)
        var shown = Page(palette)
        report.add(to: &shown, now: now)
        let page = try self.shown(after: "status --rules -c rules.yaml")
        #expect(shown.text == "\n" + page)
    }

    @Test func `an action is told as the page shows`() throws {
        let (world, before, after) = decided()
        let clause = rules.explain(
            try #require(rules.rule("failed-session")), subjects[0], world: world, before: before, after: after
        ).condition
        let (text, page) = (story(clause).text(palette), try shown(after: "explain act_17"))
        #expect(text == page)
    }

    /// A note that was refused at first, and a message after it.
    private func story(_ clause: Clause?) -> Story {
        let subject = SubjectID(type: "session", id: "7")
        func entry(_ id: Int64, _ kind: String, _ detail: String, _ clause: Clause? = nil) -> AuditStore.Entry {
            AuditStore.Entry(
                id: id, at: now + .seconds(id), kind: kind, rule: "note-failure", subject: subject, episode: 2,
                detail: detail, evidence: nil, clause: clause)
        }
        let call = "act_17 note session 7: append failed twice"
        var story = Story(id: .action(17))
        story.run = Story.Run(
            rule: "note-failure", subject: subject, episode: 2, part: "do", step: 2, state: "done", reason: nil,
            startedAt: now, stepSince: now, waitUntil: nil, once: "t:1791536400.0", anchor: nil)
        story.calls = [
            Story.Call(
                id: .action(17), step: 0, request: "note session 7: append failed twice", state: "done", attempts: 2,
                detail: nil, intendedAt: now + .seconds(3), endedAt: now + .seconds(4))
        ]
        story.posts = [
            Story.Post(
                id: .delivery("dlv_3gmorf8"), step: 1, channel: "ops", kind: "firing", text: "Fix login failed twice",
                state: "delivered", attempts: 0, reason: nil, receipt: "$1a2b", createdAt: now + .seconds(4),
                endedAt: now + .seconds(6), hold: nil, releaseAt: nil, suppressedBy: nil)
        ]
        story.trail = [
            entry(0, "started", "do", clause), entry(1, "attempting", call, clause),
            entry(2, "retrying", call + ": Zimmer answered 503"), entry(3, "attempting", call),
            entry(4, "done", call), entry(5, "finished", "do"), entry(6, "delivered", "ops dlv_3gmorf8: $1a2b"),
        ]
        return story
    }

    @Test func `everything that can be in the way is in the table`() {
        let listed = page.firstCells(below: "## What is in the way").flatMap(\.self)
        #expect(listed.sorted() == Explanation.Block.Kind.allCases.map(\.rawValue).sorted())
    }
}

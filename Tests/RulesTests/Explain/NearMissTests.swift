import CEL
import Testing

@testable import Rules

/// What a rule missed by one clause at every look.
@Suite struct NearMissTests {
    /// A typo in the status.
    private static let typo = #"session.status == "faild" && session.link != null"#

    private func near(_ looks: Looks) -> [SubjectID] { looks.near.map(\.subject) }

    @Test func `a clause that no session ever fulfils is found, with what it read last`() throws {
        var looks = Looks(try .test(if: Self.typo))
        looks.poll(.init(id: 7, status: "running", link: "a"), .init(id: 8, link: "b"), .init(id: 9))
        looks.poll(.init(id: 7, status: "failed", link: "a"), .init(id: 8, link: "b"), .init(id: 9))
        #expect(near(looks) == [Scenario.id(7), Scenario.id(8)])
        #expect(looks.near.map(\.clause.text) == [#"session.status == "faild""#, #"session.status == "faild""#])
        #expect(looks.near.first?.clause.reads == [.init(path: "session.status", value: #""failed""#)])
    }

    @Test func `what matched once is none`() throws {
        var looks = Looks(try .test(if: #"session.status == "failed" && session.link != null"#))
        for status in ["running", "failed", "running"] { looks.poll(.init(id: 7, status: status, link: "a")) }
        #expect(near(looks) == [])
    }

    @Test func `what was two clauses away in one reading is none`() throws {
        var looks = Looks(try .test(if: Self.typo))
        for link in ["a", nil, "a"] { looks.poll(.init(id: 7, link: link), .init(id: 8, link: "b")) }
        #expect(near(looks) == [Scenario.id(8)])
    }

    @Test func `what one clause kept away and then another is none`() throws {
        var looks = Looks(try .test(if: #"session.status == "failed" && session.link != null"#))
        looks.poll(.init(id: 7, status: "running", link: "a"))
        looks.poll(.init(id: 7, status: "failed"))
        #expect(near(looks) == [])
    }

    @Test(arguments: [true, false])
    func `what was not there from the first look to the last is none`(comes: Bool) throws {
        var looks = Looks(try .test(if: Self.typo))
        looks.poll(comes ? [.init(id: 8, link: "b")] : [.init(id: 7, link: "a"), .init(id: 8, link: "b")])
        looks.poll(comes ? [.init(id: 7, link: "a"), .init(id: 8, link: "b")] : [.init(id: 8, link: "b")])
        #expect(near(looks) == [Scenario.id(8)])
    }

    @Test func `one that left for a while while another came is none`() throws {
        var looks = Looks(try .test(if: Self.typo))
        for id in [7, 8, 7] { looks.poll(.init(id: id, link: "a")) }
        #expect(near(looks) == [])
    }

    @Test func `a clause that reads through null does not hold`() throws {
        var looks = Looks(try .test(if: #"session.status == "failed" && session.link.size() > 100"#))
        looks.poll(.init(id: 7), .init(id: 8, link: "short"))
        #expect(near(looks) == [Scenario.id(7), Scenario.id(8)])
        #expect(looks.near.map(\.clause.outcome) == [.absent, .fails])
    }

    @Test func `a clause that cannot be told is no near miss`() throws {
        var looks = Looks(try .test(if: #"session.status == "failed" && 1 / (session.id - 7) > 0"#))
        for _ in 1...2 { looks.poll(.init(id: 7), .init(id: 6)) }
        #expect(near(looks) == [Scenario.id(6)])
    }

    @Test(arguments: [([true, false], [7]), ([false, true, false], [7]), ([true, true], []), ([false, true], [])])
    func `looks of which it cannot be told are passed over, but for the last`(stale: [Bool], near: [Int]) throws {
        var looks = Looks(try .test(if: #"session.status == "faild" && !health.busy"#))
        for isStale in stale {
            looks.scenario.health =
                isStale
                ? .error(EvaluationError(.unavailable, "stale")) : .object(Object(Scenario.health, [.bool(false)]))
            looks.poll(.init(id: 7))
        }
        #expect(self.near(looks) == near.map(Scenario.id))
    }

    @Test func `a reading that failed is no look`() throws {
        var looks = Looks(try .test(if: Self.typo))
        looks.poll(.init(id: 7, link: "a"))
        looks.fail()
        looks.poll(.init(id: 7, link: "a"))
        #expect(near(looks) == [Scenario.id(7)])
    }

    @Test(arguments: ["session.touched_at", "(now - duration('1s') - (now - session.touched_at))"])
    func `a time that comes while nothing else changes is seen`(touched: String) throws {
        let start = Scenario(try .test()).now.seconds
        var looks = Looks(try .test(if: #"session.status == "failed" && now - \#(touched) > duration("20m")"#))
        let (early, late) = (Scenario.Session(id: 7, touched: start), Scenario.Session(id: 8, touched: start + 1_800))
        for _ in 1...41 { looks.poll(early, late) }
        #expect(near(looks) == [Scenario.id(8)])
    }

    @Test func `a time of the day that comes for ten minutes is seen`() throws {
        // Begins at 08:00.
        var looks = Looks(try .test(if: #"session.status == "failed" && now.getMinutes() / 10 == session.id"#))
        for _ in 1...100 { looks.poll(.init(id: 3), .init(id: 7)) }
        #expect(near(looks) == [Scenario.id(7)])
    }

    @Test func `of one clause, of a rule that is off and of one that watches nothing there are none`() throws {
        let rules = [
            try Rule.test("one", if: #"session.status == "faild""#), try .test("off", if: Self.typo, mode: .off),
            try .test("all", if: nil), try .test(schedule: "0 9 * * *", if: "health.busy && 1 > 2"),
        ]
        var looks = Looks(rules)
        looks.poll(.init(id: 7, link: "a"))
        #expect(looks.search.nearMisses().isEmpty)
    }

    @Test func `a rule that nothing was read for is left out, another says since when`() throws {
        var looks = Looks(try .test(if: Self.typo))
        looks.fail()
        #expect(looks.search.nearMisses().isEmpty)
        looks.poll(.init(id: 9))
        let first = looks.scenario.now
        looks.poll(.init(id: 9))
        #expect(looks.search.nearMisses().map(\.since) == [first])
        #expect(looks.near.isEmpty)
    }

    /// Sparing evaluation must not be seen.
    @Test(
        arguments: [
            #"session.status == "failed" && session.link != null"#,
            #"session.link != null && now - session.touched_at > duration("25m")"#,
            #"session.link == null && previous.status != "failed" && session.id > 0"#,
            #"health.busy && session.status != "failed""#,
        ], UInt64(1)...8)
    func `it finds what looking at everything finds`(condition: String, seed: UInt64) throws {
        var random = SmallRandom(state: seed)
        var looks = Looks(try .test(if: condition))
        var thorough = Looks(try .test(if: condition))
        var sessions = (1...30).map { number in
            Scenario.Session(id: number, link: number % 2 == 0 ? "a" : nil, touched: 1_800_000_000 - 60 * Int64(number))
        }
        for round in 1...80 {
            if random.next(below: 4) == 0 {
                let index = random.next(below: sessions.count)
                sessions[index].status = ["failed", "waiting", "running"][random.next(below: 3)]
                if random.next(below: 3) == 0 { sessions[index].link = nil }
            }
            if random.next(below: 30) == 0 { sessions.remove(at: random.next(below: sessions.count)) }
            thorough.search.restart()
            looks.poll(sessions)
            thorough.poll(sessions)
            if round % 8 == 0 { #expect(looks.near == thorough.near, "after \(round) readings") }
        }
    }
}

/// Readings that a search looks at.
private struct Looks {
    var scenario: Scenario
    var search: NearMissSearch

    init(_ rules: Rule...) { self.init(rules) }

    init(_ rules: [Rule]) {
        scenario = Scenario()
        scenario.rules = RuleSet(rules)
        search = NearMissSearch(scenario.rules)
    }

    mutating func poll(_ sessions: Scenario.Session...) { poll(sessions) }

    mutating func poll(_ sessions: [Scenario.Session]) {
        scenario.poll(sessions)
        look(scenario.world().standing["session"].map(Watched.whole))
    }

    mutating func fail() {
        scenario.fail()
        look(.cannotTell("the board was not read"))
    }

    private mutating func look(_ watched: Watched?) {
        var world = scenario.world()
        world.watched["session"] = watched
        search.look(at: world)
    }

    var near: [RuleOverview.Near] { search.nearMisses().flatMap(\.near) }
}

import CEL
import Testing

@testable import Rules

/// What is in the way of a rule, one kind after the other.
@Suite struct ExplanationTests {
    private let seven = Scenario.Session(id: 7)
    private let running = Scenario.Session(id: 7, status: "running")

    @Test func `what holds runs now, and says so`() throws {
        var scenario = Scenario(try .test())
        let explanation = try scenario.explain(seven)
        #expect(explanation.outcome == .yes(key: ""))
        #expect(explanation.wouldRun)
        #expect(explanation.summary == "holds: runs at the next poll")
        #expect(explanation.steps == [.init(condition: nil, skipped: nil, text: "post ops: failed")])
    }

    @Test func `what does not hold says which clause decides`() throws {
        var scenario = Scenario(try .test(if: #"session.id == 7 && session.status == "failed""#))
        #expect(try scenario.explain(running).summary == #"does not hold (session.status == "failed" is false)"#)
    }

    @Test func `'for' says how long is left`() throws {
        var scenario = Scenario(try .test(for: .seconds(120)))
        scenario.poll(seven)
        let explanation = try scenario.explain(seven, after: .seconds(30))
        #expect(explanation.episode?.phase == .pending)
        #expect(explanation.timers == [.init(name: "for", length: .seconds(120), end: scenario.now + .seconds(90))])
        #expect(explanation.block(.timer)?.text == "'for: 2m' has 1m30s left")
        #expect(explanation.block(.timer)?.until == scenario.now + .seconds(90))
        #expect(explanation.summary.hasPrefix("holds, but does not run: 'for: 2m'"))
    }

    @Test func `'keep' says until when`() throws {
        var scenario = Scenario(try .test(keep: .seconds(600)))
        scenario.poll(seven)
        let explanation = try scenario.explain(running)
        #expect(explanation.episode?.phase == .keeping)
        #expect(explanation.timers.map(\.name) == ["keep"])
        #expect(explanation.summary == "does not hold any more; kept active until \(scenario.now + .seconds(600))")
    }

    @Test func `what ran says that it runs once, or when it runs again`() throws {
        var once = Scenario(try .test())
        once.poll(seven)
        #expect(try once.explain(seven).block(.ran)?.text == "'do' ran in this episode, and runs once in each")
        var again = Scenario(try .test(repeat: .init(every: .seconds(3_600), times: 1)))
        again.poll(seven)
        let ranAt = again.now
        #expect(try again.explain(seven).block(.timer)?.until == ranAt + .seconds(3_600))
        again.poll(seven, after: .seconds(3_600))
        #expect(try again.explain(seven).block(.ran)?.text.contains("as often as 'repeat' says") == true)
    }

    @Test func `limits say what used them up and when there is room again`() throws {
        var limit = Rule.Limit()
        limit.perPoll = 1
        var scenario = Scenario(try .test(existing: .run, limit: limit, do: [.hide]))
        scenario.poll([])
        scenario.poll(.init(id: 1), .init(id: 2))
        let held = try scenario.explain(2)
        #expect(held.block(.limit)?.text == "held: limit per_poll: goes on at the next poll, 1 of 1 used")
        limit.perPoll = 10
        limit.perHour = 1
        scenario = Scenario(try .test(limit: limit, do: [.hide]))
        scenario.poll([])
        scenario.poll(.init(id: 1))
        let first = scenario.now
        scenario.poll(.init(id: 1), .init(id: 2))
        #expect(try scenario.explain(2).block(.limit)?.until == first + .seconds(3_600))
    }

    @Test func `a subject that ran too often in a day is named`() throws {
        var limit = Rule.Limit()
        limit.perSubjectPerDay = 1
        var scenario = Scenario(try .test(limit: limit))
        scenario.poll(seven)
        scenario.poll(running)
        scenario.poll(seven)
        #expect(try scenario.explain(7).block(.limit)?.text.contains("per_subject_per_day, 1 of 1 used") == true)
    }

    @Test func `zimmer.limit counts what all rules write`() throws {
        var scenario = Scenario(try .test("other", do: [.hide]), try .test(do: [.hide]))
        var limit = ServerLimit()
        limit.perHour = 1
        scenario.rules = RuleSet(scenario.rules.rules.map(\.rule), limit: limit)
        scenario.poll([])
        scenario.poll(seven)
        let explanation = try scenario.explain(7)
        #expect(explanation.block(.limit)?.text == "held: zimmer.limit, 1 of 1 used")
        #expect(explanation.block(.limit)?.until == scenario.now + .seconds(3_600))
    }

    @Test func `a release that is waited for is said of the rule and of each subject`() throws {
        var limit = Rule.Limit()
        limit.perPoll = 1
        var scenario = Scenario(try .test(limit: limit, do: [.hide]))
        scenario.poll(.init(id: 1), .init(id: 2))
        #expect(try scenario.explain(1).block(.release)?.text.contains("zimmer-bot release r") == true)
        #expect(try scenario.overview().blocks.map(\.kind) == [.release])
    }

    @Test func `a value of 'once' that is used up is shown`() throws {
        var scenario = Scenario(try .test(once: "session.touched_at"))
        scenario.poll(seven)
        scenario.poll(running)
        let away = try scenario.explain(7)
        #expect(away.onceIsUsed)
        #expect(away.kinds.contains(.once))
        let held = try scenario.explain(seven)
        #expect(held.block(.once)?.text == "'do' ran before for this value of 'once': 1970-01-01T00:00:00Z")
    }

    @Test func `what held at first sight under 'existing: skip' is a baseline`() throws {
        var scenario = Scenario(try .test(existing: .skip))
        #expect(try scenario.explain(seven).kinds == [.baseline])
    }

    @Test func `a rule that was changed keeps what was active from running again`() throws {
        var scenario = Scenario(try .test())
        scenario.poll(seven)
        scenario.rules = RuleSet([try .test(meaning: "2")])
        scenario.memory.reload()
        scenario.fail()
        #expect(try scenario.explain(7).kinds.contains(.reset))
    }

    @Test func `a reading that failed stops everything, timers too`() throws {
        var scenario = Scenario(try .test(for: .seconds(600)))
        scenario.poll(seven)
        scenario.fail()
        let explanation = try scenario.explain(7)
        #expect(explanation.block(.reading)?.text.contains("the board was not read") == true)
        #expect(explanation.kinds.contains(.frozen))
    }

    @Test func `what is stale cannot be told`() throws {
        var scenario = Scenario(try .test(if: #"session.status == "failed" && health.busy"#))
        scenario.health = .error(EvaluationError(.unavailable, "'health' is stale: last read then"))
        let explanation = try scenario.explain(seven)
        #expect(explanation.summary == "cannot tell: 'health' is stale: last read then")
        #expect(explanation.block(.reading)?.text == "'health' is stale: last read then")
        #expect(explanation.block(.cannotTell)?.text.contains("cannot be told since") == true)
        #expect(explanation.condition?.parts.map(\.outcome) == [.holds, .cannotTell])
    }

    @Test func `a pause ends when it ends`() throws {
        var scenario = Scenario(try .test())
        scenario.poll([])
        let until = scenario.now + .seconds(3_600)
        scenario.memory.rules["r"]?.pausedUntil = until
        #expect(try scenario.explain(seven).block(.pause)?.until == until)
    }

    @Test(arguments: [Rule.Mode.off, .dryRun])
    func `a rule that is not live says so first`(mode: Rule.Mode) throws {
        var scenario = Scenario(try .test(mode: mode))
        let explanation = try scenario.explain(seven)
        #expect(explanation.kinds.first == .mode)
        #expect(explanation.summary == (mode == .off ? "the rule is off" : "holds: would run now, in a dry run"))
    }

    @Test func `messages that another rule holds back name it`() throws {
        var scenario = Scenario(try .test("outage"), try .test(suppress: "outage"))
        #expect(try scenario.explain(seven).block(.suppress)?.text == "messages are held: outage is active")
    }

    @Test func `quiet hours and groups hold messages, not the run`() throws {
        var rule = try Rule.test()
        rule.quiet = QuietHours(["00:00-24:00"], timeZone: "UTC")
        rule.group = Rule.Grouping(by: try rule.environment.compile("session.status"))
        var scenario = Scenario(rule)
        let explanation = try scenario.explain(seven)
        #expect(explanation.wouldRun)
        #expect(explanation.kinds == [.quiet, .group])
        #expect(explanation.block(.group)?.text.hasPrefix("messages of group failed wait 30s") == true)
    }

    @Test func `a chain that waits says at which step and until when`() throws {
        var scenario = Scenario(try .test(do: [.say("now"), .wait(.seconds(900)), .say("later")]))
        scenario.poll(seven)
        let until = scenario.now + .seconds(900)
        let explanation = try scenario.explain(seven)
        #expect(explanation.block(.wait) == .init(.wait, "do, step 2 waits", until: until))
    }

    @Test func `a write that waits for its last look says why`() throws {
        var scenario = Scenario(try .test(do: [.hide]))
        scenario.poll([])
        scenario.poll(seven)
        let key = try #require(scenario.memory.runs.keys.first)
        scenario.memory.runs[key]?.waitingFor = "zimmer.limit"
        let text = try #require(try scenario.explain(seven).block(.lastLook)?.text)
        #expect(text.hasPrefix("do, step 1 waits since"))
        #expect(text.hasSuffix("zimmer.limit"))
    }

    @Test func `what was withdrawn or acknowledged is said`() throws {
        var scenario = Scenario(try .test())
        scenario.poll(seven)
        scenario.memory.rules["r"]?.episodes[Scenario.id(7)]?.ackedBy = "ada"
        #expect(try scenario.explain(seven).block(.acked)?.text.hasPrefix("acknowledged by ada") == true)
        scenario.memory.rules["r"]?.episodes[Scenario.id(7)]?.standing = .notRun
        #expect(try scenario.explain(seven).kinds.contains(.withdrawn))
    }

    @Test func `what somebody has in hand is not said to run again`() throws {
        var scenario = Scenario(try .test(repeat: .init(every: .seconds(3_600))))
        scenario.poll(seven)
        scenario.memory.rules["r"]?.episodes[Scenario.id(7)]?.ackedBy = "ada"
        let explanation = try scenario.explain(seven)
        #expect(explanation.block(.timer) == nil)
        #expect(explanation.timers.isEmpty)
    }

    @Test func `a step says its own condition`() throws {
        let rule = try Rule.test().withSteps { environment in
            [try .say("session.id", if: "session.id == 8", in: environment)]
        }
        var scenario = Scenario(rule)
        let steps = try scenario.explain(seven).steps
        #expect(steps == [.init(condition: "session.id == 8", skipped: "its 'if' does not hold", text: "post ops: 7")])
    }

    @Test func `a schedule says its next slots, and what a slot that is due waits for`() throws {
        var scenario = Scenario(try .test(schedule: "0 * * * *", if: "health.busy"))
        scenario.tick(after: .zero)
        let next = try #require(scenario.memory.rules["r"]?.nextSlot)
        let prepared = try #require(scenario.rules.rule("r"))
        func explain() -> Explanation {
            scenario.rules.explain(
                prepared, nil, world: scenario.world(), before: scenario.memory, after: scenario.memory)
        }
        #expect(explain().slots?.next == (0..<5).map { next + .seconds(3_600 * $0) })
        #expect(explain().summary == "does not hold (health.busy is false)")
        scenario.health = .error(EvaluationError(.unavailable, "'health' is stale"))
        scenario.tick(after: .seconds(3_600))
        #expect(explain().slots?.missing == "'health' is stale")
        #expect(explain().block(.slot)?.text == "the slot is due and waits: 'health' is stale")
    }
}

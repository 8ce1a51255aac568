import CEL
import Testing

@testable import Rules

@Suite struct SuppressTests {
    @Test func `posts are marked while the other rule is active for the same session`() throws {
        let louder = try Rule.test("louder", if: #"session.link == "x""#, do: [.say("x")], resolved: [])
        var scenario = Scenario(try .test(suppress: "louder"), louder)
        let posts = scenario.poll(.init(id: 7, link: "x"), .init(id: 8)).posts.filter { $0.rule == "r" }
        #expect(posts.map(\.suppressedBy) == ["louder", nil])
    }

    @Test func `a rule about something else silences all of it`() throws {
        var other = try Rule.test("busy", if: "health.busy", do: [.say("x")], resolved: [])
        other.trigger = .watch(.init("health", Scenario.health, isCollection: false, hasSession: false))
        var scenario = Scenario(try .test(suppress: "busy"), other)
        scenario.memory.rules["busy"] = RuleMemory(other)
        var episode = Episode(phase: .active, key: "", since: scenario.now)
        episode.activeSince = scenario.now
        scenario.memory.rules["busy"]?.episodes[SubjectID(type: "health", id: "health")] = episode
        #expect(scenario.poll(.init(id: 7), .init(id: 8)).posts.map(\.suppressedBy) == ["busy", "busy"])
    }
}

import CEL
import Testing

@testable import Rules

/// What a rule says of everything that it watches.
@Suite struct OverviewTests {
    private func overview(_ condition: String, _ sessions: Scenario.Session...) throws -> RuleOverview {
        var scenario = Scenario(try .test(if: condition))
        scenario.poll(sessions)
        return try scenario.overview()
    }

    @Test func `what is going on is listed, the longest first`() throws {
        var scenario = Scenario(try .test(for: .seconds(600)))
        scenario.poll(.init(id: 9))
        scenario.poll(.init(id: 9), .init(id: 3), .init(id: 4, status: "running"))
        let overview = try scenario.overview()
        #expect(overview.total == 3)
        #expect(overview.rows.map(\.subject) == [Scenario.id(9), Scenario.id(3)])
        #expect(overview.rows.map(\.phase) == [.pending, .pending])
        #expect(overview.rows[0].note?.hasPrefix("'for: 10m' has") == true)
    }

    @Test func `near is what only one clause keeps away, wherever it stands`() throws {
        let overview = try overview(
            #"session.id > 5 && session.status == "failed" && session.link != null"#,
            .init(id: 1, status: "failed", link: "a"), .init(id: 7, status: "running", link: "a"),
            .init(id: 8, status: "running"), .init(id: 9, status: "failed", link: "a"))
        #expect(overview.near.map(\.subject) == [Scenario.id(1), Scenario.id(7)])
        #expect(overview.near.map(\.clause.text) == ["session.id > 5", #"session.status == "failed""#])
        #expect(overview.near[1].clause.reads == [.init(path: "session.status", value: #""running""#)])
    }

    @Test func `the first clause that fails is counted`() throws {
        let overview = try overview(
            #"session.id > 5 && session.status == "failed""#, .init(id: 1, status: "running"),
            .init(id: 7, status: "running"), .init(id: 8, status: "running"))
        #expect(
            overview.counts == [
                .init(clause: #"session.status == "failed""#, count: 2), .init(clause: "session.id > 5", count: 1),
            ])
    }

    @Test func `with one clause nothing is near`() throws {
        #expect(try overview(#"session.status == "running""#, .init(id: 1)).near.isEmpty)
    }

    @Test func `what cannot be told is listed with its reason`() throws {
        let overview = try overview("1 / (session.id - 7) > 0", .init(id: 7), .init(id: 8))
        #expect(overview.untold.map(\.subject) == [Scenario.id(7)])
        #expect(overview.untold.map(\.reason) == ["division by zero"])
    }
}

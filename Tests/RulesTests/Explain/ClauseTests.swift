import CEL
import Testing

@testable import Rules

/// How a condition comes to what it is.
@Suite struct ClauseTests {
    private func clause(_ condition: String, _ session: Scenario.Session = .init(id: 7)) throws -> Clause {
        var scenario = Scenario(try .test(if: condition))
        return try #require(try scenario.explain(session).condition)
    }

    @Test func `each clause says what it came to and what it read`() throws {
        let clause = try clause(#"session.status == "failed" && session.id > 5"#)
        #expect(clause.outcome == .holds)
        #expect(clause.join == .and)
        #expect(clause.parts.map(\.text) == [#"session.status == "failed""#, "session.id > 5"])
        #expect(clause.parts[0].reads == [.init(path: "session.status", value: #""failed""#)])
        #expect(clause.parts[1].reads == [.init(path: "session.id", value: "7")])
        #expect(clause.parts.allSatisfy { !$0.isDecisive })
    }

    @Test func `the first clause that is false decides, and what comes after it was not reached`() throws {
        let clause = try clause(#"session.id > 5 && session.status == "running" && session.id < 9"#)
        #expect(clause.outcome == .fails)
        #expect(clause.parts.map(\.outcome) == [.holds, .fails, .notReached])
        #expect(clause.decisive?.text == #"session.status == "running""#)
        #expect(clause.parts[2].alone == .holds)
    }

    @Test func `alternatives are shown below their clause`() throws {
        let clause = try clause(#"session.id > 5 && (session.status == "running" || session.id == 7)"#)
        let group = try #require(clause.parts.last)
        #expect(group.join == .or)
        #expect(group.parts.map(\.outcome) == [.fails, .holds])
        #expect(group.parts.map(\.isDecisive) == [false, true])
    }

    @Test func `an error that another alternative made up for is said`() throws {
        let clause = try clause(#"1 / (session.id - 7) > 0 || session.id == 7"#)
        #expect(clause.outcome == .holds)
        #expect(clause.parts[0].outcome == .cannotTell)
        #expect(clause.parts[0].isAbsorbed)
        #expect(clause.parts[0].reason == "division by zero")
    }

    @Test func `reading through null does not apply, and shows how far it led`() throws {
        let clause = try clause(#"session.link.size() > 3 && session.id == 7"#)
        #expect(clause.outcome == .absent)
        #expect(clause.decisive?.outcome == .absent)
        #expect(clause.parts[0].reads == [.init(path: "session.link", value: "null")])
    }

    @Test func `a condition of one clause decides by itself`() throws {
        let clause = try clause(#"session.status == "running""#)
        #expect(clause.top.count == 1)
        #expect(clause.decisive?.text == #"session.status == "running""#)
    }

    @Test func `other people's text is one line, and cut`() throws {
        let title = "a\u{1B}[31m\nb\u{202E}" + String(repeating: "x", count: 500)
        let clause = try clause(#"session.link != """#, .init(id: 7, link: title))
        let value = try #require(clause.reads.first?.value)
        #expect(value.hasPrefix("\"a[31m bx"))
        #expect(value.utf8.count < 200)
    }

    @Test(arguments: [
        "session.id in [1, 2, 7]", "!(session.id == 7)", "true && session.id == 7", "(session.id == 7)",
        "session.id == 7 ? true : session.link == \"\"", "\n  session.id == 7 &&\n  true\n",
        "(session.id == 7 && true) && (session.id == 7 || false)", "[1, 2].exists(x, x == session.id)",
    ])
    func `a clause comes to what the condition comes to`(condition: String) throws {
        var scenario = Scenario(try .test(if: condition))
        let explanation = try scenario.explain(.init(id: 7))
        let expected: Clause.Outcome = explanation.outcome == .no ? .fails : .holds
        #expect(explanation.condition?.outcome == expected)
    }
}

import Testing

@testable import Rules

/// Rules that wait for each other's end.
@Suite struct SuppressionCycleTests {
    private func warnings(_ rules: (name: String, condition: String, suppress: String, rest: String)...) -> [String] {
        let text = rules.map {
            "  - {name: \($0.name), watch: session, suppress: \($0.suppress), if: '\($0.condition)',"
                + " do: [{post: ops, text: \($0.name)}]\($0.rest)}\n"
        }
        let (file, diagnostics) = TestWorld.load(TestWorld.head + "rules:\n" + text.joined())
        #expect(file != nil, "\(diagnostics)")
        return diagnostics.map(\.message).filter { $0.contains("circle") }
    }

    private let failed = #"session.status == "failed""#

    @Test func `two rules that silence each other are named, with a session for which both do`() {
        let condition = #"session.status in ["failed", "waiting"]"#
        #expect(
            warnings(("e", failed, "f", ""), ("f", condition, "e", "")) == [
                "'suppress' goes round in a circle: 'e' waits for 'f', 'f' waits for 'e'; while all are active, as for a"
                    + " session {status: failed}, none of their messages go"
            ])
    }

    @Test func `a longer circle is one warning, and who only waits for it is not part of it`() {
        let found = warnings(
            ("a", failed, "b", ""), ("b", failed, "c", ""), ("c", failed, "d", ""), ("d", failed, "b", ""))
        #expect(found.count == 1)
        #expect(found.first?.contains("circle: 'b' waits for 'c', 'c' waits for 'd', 'd' waits for 'b';") == true)
    }

    @Test(arguments: [
        ("", "", #"session.status == "waiting""#), ("", ", mode: dry_run", #"session.status == "failed""#),
    ])
    func `rules that are never active at once, and dry runs, silence nobody`(
        first: String, second: String, condition: String
    ) {
        #expect(warnings(("e", failed, "f", first), ("f", condition, "e", second)).isEmpty)
    }

    @Test func `what 'keep' holds active counts`() {
        let waiting = #"session.status == "waiting""#
        #expect(warnings(("e", failed, "f", ", keep: 1h"), ("f", waiting, "e", "")).count == 1)
    }
}

import Testing

@testable import Rules

@Suite struct ModeTests {
    private func load(_ keys: String) -> (rule: Rule?, messages: [String]) {
        let (rule, diagnostics) = TestWorld.load(
            rule: "name: a\nwatch: session\n\(keys)\ndo: [{post: ops, text: x}]")
        return (rule, diagnostics.map(\.message))
    }

    @Test(arguments: [("off", "true"), ("live", "false"), ("dry_run", "false")])
    func `'mode' and 'enabled' that contradict each other are an error`(mode: String, enabled: String) {
        let (rule, messages) = load("mode: \(mode)\nenabled: \(enabled)")
        #expect(rule == nil)
        #expect(messages == ["'enabled: \(enabled)' and 'mode: \(mode)' contradict each other: take one of them out"])
    }

    @Test(arguments: [("off", "false"), ("live", "true")])
    func `both may say the same`(mode: String, enabled: String) {
        #expect(load("mode: \(mode)\nenabled: \(enabled)").messages == [])
    }
}

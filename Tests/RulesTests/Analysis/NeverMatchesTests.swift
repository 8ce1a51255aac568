import Testing

@testable import Rules

@Suite struct NeverMatchesTests {
    private func warnings(_ condition: String, bindings: String = "") -> [String] {
        let rule = "name: a\nwatch: session\n\(bindings)if: |\n  \(condition)\ndo: [{post: ops, text: x}]"
        let (loaded, diagnostics) = TestWorld.load(rule: rule)
        #expect(loaded != nil, "\(diagnostics)")
        return diagnostics.map(\.message)
    }

    @Test(arguments: [
        (
            #"session.status == "failed" && session.status == "waiting""#,
            "`session.status == 'failed'` and `session.status == 'waiting'`"
        ),
        (#"session.id > 5 && session.id < 3"#, "`session.id > 5` and `session.id < 3`"),
        (#"session.id > 5 && session.id < 6"#, "`session.id > 5` and `session.id < 6`"),
        (#"has(session.pr) && session.pr == null"#, "`has(session.pr)` and `session.pr == null`"),
        (#"session.pr == null && session.pr.ci == "pass""#, "`session.pr == null` and `session.pr.ci == 'pass'`"),
        (#"!session.pr.authorized && session.pr.authorized"#, "`!session.pr.authorized` and `session.pr.authorized`"),
        (#"session.status == "failed" && session.status in ["waiting", "running"]"#, "session.status in ["),
        (#"session.idle > duration("72h") && session.idle < duration("1h")"#, "session.idle < duration('1h')"),
        (#"session.idle > duration("72h") && now - session.touched_at <= duration("1h")"#, "now - session.touched_at"),
        (
            #"session.touched_at < now - duration("3h") && session.touched_at + duration("2h") > now"#,
            "duration('2h') > now"
        ),
        (
            #"session.status == "failed" && !(session.status == "failed" || session.id == 3)"#,
            "session.status != 'failed'"
        ),
        (#"session.title.startsWith("a") && !session.title.startsWith("a")"#, "!session.title.startsWith('a')"),
        (#"(session.id == 1 || session.id == 2) && session.id == 3"#, "`session.id == 1` and `session.id == 3`"),
        (
            #"session.status == "failed" ? session.status == "waiting" : session.status == "failed""#,
            "are never both so"
        ),
        (#"session.favorited != true && session.favorited == true"#, "session.favorited"),
        (#"session.url == session.title && session.url != session.title"#, "session.url != session.title"),
        (#"session.pr.authorized_at == null && session.pr.authorized_at < now"#, "session.pr.authorized_at < now"),
        (#"5 < session.id && 4 >= session.id"#, "`5 < session.id` and `4 >= session.id`"),
    ])
    func `a condition that contradicts itself can never match`(condition: String, words: String) {
        let warnings = warnings(condition)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(words) == true, "\(warnings)")
        #expect(warnings.first?.hasPrefix("'a' can never match: ") == true)
    }

    @Test func `what names of 'let' stand for is looked through`() {
        let bindings =
            "let:\n  failed: session.status == \"failed\"\n  waits: '!failed && session.status == \"waiting\"'\n"
        #expect(
            warnings("failed && waits", bindings: bindings) == [
                "'a' can never match: `session.status == 'failed'` and `session.status != 'failed'` are never both so"
            ])
    }

    @Test(arguments: [
        #"session.status == "failed" || session.status == "waiting""#,
        #"session.id > 5 && session.id < 7"#,
        #"session.id >= 5 && session.id <= 5"#,
        #"session.pr == null || session.pr.ci == "pass""#,
        #"session.idle > duration("1h") && session.idle < duration("72h")"#,
        #"session.status != "failed" && session.status != "waiting" && session.status != "running""#,
        #"session.favorited != true && session.favorited != false"#,
        #"session.title.startsWith("a") && !session.title.startsWith("ab")"#,
        #"session.prs.exists(p, p.ci == "pass") && session.prs.exists(p, p.ci != "pass")"#,
        #"board.exists(s, s.status == "failed") && session.status == "waiting""#,
        #"session.metadata.a == null && session.metadata.b == 1"#,
        #"has(session.metadata.a) && session.metadata.a == null"#,
        #"session.id == 1 && session.id == 1.0"#,
        #"session.id > 9007199254740992 && session.id < 9007199254740994"#,
        "false",
        "1 > 2",
        #"session.pr.ci == "pass" && session.failure_reason == null"#,
    ])
    func `a condition that can match is left alone`(condition: String) {
        #expect(warnings(condition) == [])
    }

    @Test func `a constant that switches a rule off is meant`() {
        let (file, diagnostics) = TestWorld.load(
            TestWorld.head + "vars: {nights: false, most: 3}\n" + """
                rules:
                  - name: a
                    watch: session
                    if: vars.nights && vars.most > 5 && session.status == "failed"
                    do: [{post: ops, text: x}]
                """)
        #expect(file != nil)
        #expect(diagnostics.map(\.message) == [])
    }

    @Test func `a rule that is switched off is left alone`() {
        let (_, diagnostics) = TestWorld.load(
            rule: "name: a\nmode: off\nwatch: session\nif: session.id == 1 && session.id == 2\ndo: [hide]")
        #expect(diagnostics.map(\.message) == [])
    }

    @Test func `a condition of many cases takes no longer than it may`() {
        let pair = { (index: Int) in "(session.title.contains('a\(index)') || session.title.contains('b\(index)'))" }
        let condition = (0..<40).map(pair).joined(separator: " && ")
        #expect(warnings(condition) == [])
    }

    @Test func `names that double are not written out`() {
        let lines = (1...20).map { "  a\($0): a\($0 - 1) && a\($0 - 1)\n" }.joined()
        #expect(warnings("a20", bindings: "let:\n  a0: session.id == 1\n" + lines) == [])
    }
}

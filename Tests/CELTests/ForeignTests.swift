import CEL
import Testing

/// What people write who know another language, and what they are told.
@Suite struct ForeignTests {
    /// `«` and `»` enclose what a message points at.
    @Test(
        arguments: [
            ("task.count «===» 3", "'===' is written '=='", "=="),
            ("task.count «!==» 3", "'!==' is written '!='", "!="),
            ("task.count «<>» 3", "'<>' is written '!='", "!="), ("task.count «≥» 3", "'≥' is written '>='", ">="),
            ("task.count «eq» 3", "'eq' is written '=='", "=="), ("task.count «GTE» 3", "'GTE' is written '>='", ">="),
            ("task.branch «is not» null", "'is not' is written '!='", "!="),
            ("task.branch == «None»", "undefined variable 'None'; it is written null", "null"),
            ("task.favorited == «True»", "undefined variable 'True'; it is written true", "true"),
            ("«status» == 'failed'", "undefined variable 'status', did you mean 'task.status'?", "task.status"),
            (
                "task.reviews.all(r, «state» == 'open')", "undefined variable 'state', did you mean 'r.state'?",
                "r.state"
            ),
            ("task.review«?.»ci == 'a'", "'?.' is written '.?'", ".?"),
            ("task«?.»review?.ci == 'a'", "'?.' is written '.?'", ".?"),
            ("task.reviews«.0».ci == 'a'", "an element of a list is read with [0]", "[0]"),
            ("task.age > «90m»", "'90m' is written duration(\"90m\")", "duration(\"90m\")"),
            ("task.age > «2w»", "'2w' is written duration(\"336h\")", "duration(\"336h\")"),
            (
                "task.review.«merged»", "undefined field 'merged' of review, did you mean 'state == \"merged\"'?",
                "state == \"merged\""
            ),
            (
                "task.«meta» == {}",
                "undefined field 'meta' of task; it has title, status, favorited, branch, created, "
                    + "idle, cost, count, review, reviews, metadata, age", nil
            ),
        ] as [(String, String, String?)])
    func `what can be put right has the right thing with it`(marked: String, message: String, suggestion: String?) {
        #expect(told(marked) == [message])
        #expect(issues(source(marked)).map(\.issue.suggestion) == [suggestion])
        #expect(issues(source(marked)).map(\.text) == [pointedAt(marked)])
    }

    @Test(
        arguments: [
            ("task.count «=>» 3", "what is asked of an element comes behind a comma, as in list.exists(x, x > 0)"),
            ("task.reviews.exists(r «->» true)", "comes behind a comma"),
            ("task.reviews.exists(r «=>» true)", "comes behind a comma"),
            ("task.reviews.map(r«:» r.ci)", "before a comma"),
            ("task.reviews.exists(«lambda» r: true)", "before a comma"),
            ("[r.ci «for» r in task.reviews]", "list.map(x, x + 1)"),
            ("task.title «=~» 'a'", "text.matches(\"pattern\")"),
            ("task.title «!~» 'a'", "!text.matches(\"pattern\")"), ("task.title «like» 'a%'", "text.contains(\"a\")"),
            ("task.title «not» in ['a']", "!(a in list)"), ("task.count «between» 1 and 5", "x >= 1 && x <= 5"),
            ("task.count in 1.«.5»", "there are no ranges"), ("task.count «**» 2", "x * x"),
            ("task.count«++»", "changes nothing"),
            ("task.count == 3 «#» why", "a comment begins with '//'"), ("task.count == 3 «/*» why */", "with its line"),
            ("task.count == 3«;»", "ends without ';'"), ("«$»task.count == 3", "without '$'"),
            ("task.title == «“»a”", "a text is written in \"…\""),
            ("task.title == 'it'«s»'", "a quote in a text is written \\'"),
            ("«f»'{task.title}'", "there is no f\"…\"; what is computed is joined to a text with '+'"),
            ("'a' «'b'»", "texts are joined with '+'"), ("task.count ==«\u{A0}»3", "the invisible character U+00A0"),
            ("«size» task.reviews > 1", "'size' is called with parentheses"), ("«typeof» task", "type(x)"),
            ("«if» task.favorited then 1 else 2", "condition ? a : b"), ("1 «if» true else 2", "condition ? a : b"),
            ("«let» x = 1", "cel.bind(x, value, x + 1)"), ("«return» true", "an expression is its own result"),
            ("task.branch «?:» 'a'", "a.?b.orValue(c)"), ("task.title[0«:»3]", "text.substring(0, 3)"),
            ("task.status in ('a'«,» 'b')", "in brackets"), ("task.status in {'a'«,» 'b'}", "in brackets"),
            ("task.status in {'a'«}»", "in brackets"), ("«{{» task.title }} == ''", "names stand here as they are"),
            ("«1_000» == 1", "stand together"), ("«0b11» == 3", "hexadecimal as in 0x1F"),
        ])
    func `what is written in another way is said to be, where it stands`(marked: String, part: String) {
        let found = issues(source(marked))
        #expect(found.map(\.text) == [pointedAt(marked)])
        #expect(found.first?.issue.message.contains(part) == true, "\(found.map(\.issue.message))")
    }

    @Test(
        arguments: [
            ("len(task.reviews)", "x.size()"), ("task.reviews.length", "x.size()"), ("task.reviews.size", ".size()"),
            ("task.reviews.any(r, r.ci == 'a')", "list.exists(x, x > 0)"),
            ("task.title.toLowerCase()", "text.lowerAscii()"),
            ("task.title.starts_with('a')", "did you mean 'startsWith'?"), ("math.max(1, 2)", "math.greatest(a, b)"),
            ("Math.abs(1)", "math.abs(x)"), ("now.hour == 3", "x.getHours(\"America/Chicago\")"),
            ("now.hours() == 3", "x.getHours("),
            ("days(3)", "duration(\"24h\")"), ("now()", "it is a value and has no parentheses"),
            ("task.reviews.exists(r.ci == 'a')", "as in list.exists(x, …)"),
            ("task.reviews.map(r)", "as in list.map(x, …)"),
            ("task.reviews.ci == 'a'", "as in list.exists(x, x.ci == …)"), ("task.title[0] == 'a'", "text.charAt(0)"),
            ("'a' in task.title", "text.contains(\"a\")"), ("'%s' % task.title", "\"%s\".format([a])"),
            ("1 < task.count < 5", "a < b && b < c"), ("task.age > 3600", "duration(\"3600s\")"),
            ("task.age > '1h'", "duration(\"1h\")"), ("now - '3d' > now", "a duration is written"),
            ("now - 60 > now", "duration(\"60s\")"), ("now > '2026-10-01'", "a time is written timestamp("),
            ("now > 1700000000", "a time is written timestamp("), ("now + now", "two times only have a difference"),
            ("now > task.age", "as in now - a"), ("task.age / 60", ".getSeconds()"),
            ("-task.age", "duration(\"0s\") - a"),
            ("task.count == '3'", "without quotes: 3"), ("task.favorited == 'true'", "written without quotes"),
            ("task.favorited == 1", "not compared with a number"), ("type(1) == 'int'", "as in type(a) == int"),
            ("task.?review.ci == 'a'", ".orValue(…)"), ("task.reviews > 0", "a.size()"),
            ("task.review == 'open'", "review has state, ci, since"), ("task.branch && true", "as in a != null"),
            ("!task.branch", "as in a == null"), ("task.reviews || true", "a.size() != 0"), ("!task.count", "a == 0"),
            ("!task.status in ['a']", "!(a in b)"), ("task.title == 'a' || 'b'", "a == \"x\" || a == \"y\""),
            ("1.0 % 2.0", "it is for whole numbers"), ("task.count.length", "an int has no fields"),
            ("has(task.metadata['a'])", "\"a\" in map"),
        ])
    func `what has no such meaning is said to be written in another way`(source: String, part: String) {
        let found = issues(source)
        #expect(found.count == 1, "\(found.map(\.issue.message))")
        #expect(found.first?.issue.message.contains(part) == true, "\(found.map(\.issue.message))")
    }

    @Test func `an index before the first element is a warning`() throws {
        let warnings = try World.environment.compile("task.reviews[-1].ci == 'a'").warnings
        #expect(warnings.map(\.range) == [13..<15])
        #expect(warnings.first?.message.contains("list[list.size() - 1]") == true)
    }

    private func source(_ marked: String) -> String {
        marked.filter { $0 != "«" && $0 != "»" }
    }

    private func pointedAt(_ marked: String) -> String {
        marked.split(separator: "«", omittingEmptySubsequences: false)[1].split(
            separator: "»", omittingEmptySubsequences: false)[0].description
    }

    private func told(_ marked: String) -> [String] {
        issues(source(marked)).map(\.issue.message)
    }
}

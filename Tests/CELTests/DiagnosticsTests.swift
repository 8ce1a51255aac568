import CEL
import Testing

@Suite struct DiagnosticsTests {
    /// `«` and `»` enclose what a message points at.
    @Test(
        arguments: [
            ("task.«stauts» == 'failed'", "undefined field 'stauts' of task, did you mean 'status'?"),
            ("«tsak».title == ''", "undefined variable 'tsak', did you mean 'task'?"),
            ("«task.title.startWith('a')»", "undefined function 'startWith', did you mean 'startsWith'?"),
            ("«1 + 1.0»", "'+' does not take int and double; convert one side, as in double(…)"),
            (
                "«task.title == 3»",
                "'==' does not take string and int; compare text with text, as in string(…) or \"1\""
            ),
            ("«task.title == null»", "'==' does not take string and null_type: string is never null"),
            ("task.title «=» 'a'", "'=' compares nothing; equality is written '=='"),
            ("true «&» false", "'&' is written '&&'"),
            ("true «|» false", "'|' is written '||'; a function is called, as in text.size()"),
            ("true «and» false", "'and' is written '&&'"), ("(true «OR» false)", "'OR' is written '||'"),
            ("task.title «matches» 'a'", "'matches' is a function of a text, as in text.matches(\"a\")"),
            ("task.branch «??» 'a'", "there is no '??'; a field that may not be there is a.?b.orValue(c)"),
            ("«task.title + 1»", "'+' does not take string and int; make it text first, as in string(…)"),
            ("task.title == «broken»", "undefined variable 'broken'; a text is written in quotes: \"broken\""),
            ("task.title in ['a', «broken»]", "undefined variable 'broken'; a text is written in quotes: \"broken\""),
            ("task.title == «broken».x", "undefined variable 'broken'"),
            ("task.title «is» 'a'", "'is' is written '=='"), ("true && «not» false", "'not' is written '!'"),
            ("«not(true)»", "undefined function 'not', did you mean '!'?"),
            (
                "«task.reviews.map(r, r.state).contains('open')»",
                "contains() is for text; what a list has is asked with 'in', as in \"a\" in [\"a\", \"b\"]"
            ),
            ("task.idle > duration(«'3d'»)", "'3d' is not a duration: durations have no days, use 72h"),
            ("now > timestamp(«'yesterday'»)", "'yesterday' is not a timestamp, which looks like 2026-10-09T12:00:00Z"),
            ("«task.title.matches('(')»", "this pattern is not one that RE2 takes: missing ): ("),
            ("true && «task.title»", "'&&' joins conditions, but this is a string; compare it, as in a != \"\""),
            ("«task.title».all(x, true)", "all() goes through a list or a map, but this is a string"),
            ("[1].all(«x.y», true)", "all() needs a plain name here, for its variable"),
            ("task.reviews[«'a'»] == null", "a list is indexed by an int, but this is a string"),
            ("«true ? 1 : 'a'»", "both sides of ':' must have one type, but they are an int and a string"),
            ("has(«task»)", "has() takes a field, as in has(a.b)"),
            ("now - «3d»", "'3d' is written duration(\"72h\")"), ("«3x»", "this is neither a number nor a name"),
            ("{«[1]»: 2}", "a key is a bool, an int, a uint or a string, but this is a list(int)"),
            (
                "«task{title: 'a'}»",
                "there is no type 'task' of which to make a value; a map has quoted keys, as in {\"a\": 1}"
            ),
            ("«as» == 1", "'as' is a reserved word and cannot be a name"),
            ("1 +«»", "expected a value, found the end"),
            ("(1«»", "expected ')', found the end"), ("true &&«»\n", "expected a value, found the end"), ("'a«»", nil),
        ] as [(String, String?)])
    func `a mistake is named where it is`(marked: String, message: String?) throws {
        let source = marked.filter { $0 != "«" && $0 != "»" }
        let found = issues(source)
        #expect(found.map(\.issue.severity) == [.error])
        guard let message else { return }
        #expect(found.map(\.issue.message) == [message])
        let start = try #require(marked.utf8.firstRange(of: "«".utf8)).lowerBound
        let end = try #require(marked.utf8.firstRange(of: "»".utf8)).lowerBound
        let lower = marked.utf8.distance(from: marked.startIndex, to: start)
        let upper = marked.utf8.distance(from: marked.startIndex, to: end) - 2
        #expect(found.first?.issue.range == lower..<upper)
    }

    @Test(arguments: [
        ("«has(task.review.since)»", "task.review != null"), ("!«has(task.review.ci)»", "task.review != null"),
        ("«has(task.metadata.a.b)»", "has(task.metadata.a)"),
        ("has(task.review) || «has(task.review.since)»", "task.review != null"),
    ])
    func `has() of something inside of what may not be there is a warning`(marked: String, question: String) throws {
        let source = marked.filter { $0 != "«" && $0 != "»" }
        let warnings = try World.environment.compile(source).warnings
        #expect(warnings.map(\.severity) == [.warning])
        #expect(warnings.first?.message.contains("ask first for what it is in: \(question) &&") == true)
    }

    @Test(arguments: [
        "has(task.review)", "task.review != null && has(task.review.since)",
        "has(task.metadata.a) && has(task.metadata.a.b)",
        "task.review == null || has(task.review.since)",
        "null != task.review && (task.count > 1 && has(task.review.since))",
        "!(task.review == null) && has(task.review.since)", "task.metadata.a != null && has(task.metadata.a.b)",
        "task.review != null ? has(task.review.since) : false", "task.review == null ? false : has(task.review.since)",
        "task.reviews.all(r, has(r.since))", "!has(task.metadata.a) || has(task.metadata.a.b)",
    ])
    func `has() behind a question for what it is in is none`(source: String) throws {
        #expect(try World.environment.compile(source).warnings.isEmpty)
    }

    @Test func `all mistakes are reported, in order of position`() {
        let found = issues("task.titel == 'a' && nwo > 3 && task.coutn > 'x'")
        #expect(found.map(\.text) == ["titel", "nwo", "coutn"])
        #expect(found.map(\.issue.suggestion) == ["title", "now", "count"])
    }

    @Test func `a mistake is reported once, not for all that depends on it`() {
        #expect(issues("(task.nothing + 1) * 2 == 3 || [task.nothing2].size() > 1 || nothing.a > 3").count == 3)
    }

    @Test(
        arguments: [
            ("task.status == 'needs_inptu'", "needs_input"), ("task.status in ['failed', 'runing']", "running"),
            ("'waitng' != task.status", "waiting"), ("task.review.state == 'opn'", "open"),
            ("task.reviews.exists(r, r.state == 'mergd')", "merged"),
        ])
    func `a word that a field never takes is a warning with the nearest one`(source: String, nearest: String) throws {
        let warnings = try World.environment.compile(source).warnings
        #expect(warnings.map(\.severity) == [.warning])
        #expect(warnings.first?.message.hasSuffix("did you mean '\(nearest)'?") == true)
        #expect(warnings.first?.suggestion == "\"\(nearest)\"")
    }

    @Test(arguments: ["task.status == 'failed'", "task.title == 'anything'", "task.status == task.title"])
    func `what may be meant is no warning`(source: String) throws {
        #expect(try World.environment.compile(source).warnings.isEmpty)
    }

    @Test(
        arguments: [
            ("stauts", "status"), ("Status", "status"), ("statu", "status"), ("statusx", "status"), ("status", nil),
            ("x", nil), ("completely", nil),
        ])
    func `the nearest name is a few slips away at most`(name: String, nearest: String?) {
        #expect(NearMiss.best(of: ["status", "title", "created_at"], for: name) == nearest)
    }

    @Test func `the type of an expression is deduced`() throws {
        for (source, type) in [
            ("task.reviews.map(r, r.ci)", "list(string)"), ("task.?review.ci", "optional_type(string)"),
            ("task.branch", "string or null"), ("{'a': task.idle}", "map(string, duration or null)"),
            ("task.age", "duration"), ("[1, 'a']", "list(dyn)"), ("task.review.since", "timestamp or null"),
        ] {
            #expect(try World.environment.compile(source).resultType.description == type, "\(source)")
        }
    }
}

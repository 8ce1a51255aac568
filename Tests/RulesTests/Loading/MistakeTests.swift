import Testing

@testable import Rules

@Suite struct MistakeTests {
    @Test func `ten mistakes are ten errors, each at its place`() {
        let source = MarkedText(
            """
            zimmer:
              url: https://zimmer.example.com
              api_key: ↓sk-very-secret
              poll: {board: ↓30}
            channels:
              ops: {adapter: console}
            notices: {channels: [ops]}
            rules:
              - name: one
                watch: session
                if: session.↓statsu == "failed"
                ↓fro: 5m
                do:
                  - post: ↓opps
                    text: ↓{{ session.title }} is here
                  - ↓restrat
              - name: ↓one
                schedule: "0 9 * ↓13 *"
                do:
                  - post: ops
                    text: |
                      Good morning.
                      {{ now + ↓nothing }}
            """)
        let (file, diagnostics) = TestWorld.load(source.text)
        #expect(file == nil)
        #expect(diagnostics.count == 10)
        #expect(diagnostics.map(\.place) == source.marks)
        #expect(!diagnostics.contains { $0.description.contains("sk-very-secret") })
    }

    @Test(arguments: [("00:00-12:00", "normal", 1), ("00:00-11:00", "normal", 0), ("00:00-12:00", "high", 0)])
    func `quiet of a rule and of its channel that leave no time between them are refused`(
        quiet: String, urgency: String, errors: Int
    ) {
        let (_, diagnostics) = TestWorld.load(
            """
            channels:
              ops: {adapter: console, quiet: "12:00-24:00"}
            rules:
              - name: one
                watch: session
                quiet: "\(quiet)"
                do: [{post: ops, urgency: \(urgency), text: x}]
            """)
        #expect(diagnostics.count { $0.description.contains("together leave no time") } == errors)
    }

    @Test func `a diagnostic shows the line and points at the place`() {
        let (_, diagnostics) = TestWorld.load(rule: "name: a\nwatch: sesion\ndo: [{post: ops, text: x}]")
        #expect(
            diagnostics.map(\.description) == [
                """
                rules.yaml:6:12: error: 'watch' takes session, health, costs, not 'sesion', did you mean 'session'?
                        watch: sesion
                               ^~~~~~
                """
            ])
    }

    static let rules: [(marked: String, words: String)] = [
        ("↓watch: session\ndo: [{post: ops, text: x}]", "needs 'name'"),
        ("↓name: a\nwatch: session", "needs 'do'"),
        ("↓name: a\ndo: [{post: ops, text: x}]", "needs 'watch' or 'schedule'"),
        (
            "↓name: a\nif: session.status == \"failed\"\ndo: [{post: ops, text: \"{{ slot.time }}\"}]",
            "needs 'watch' or 'schedule'"
        ),
        (
            "name: a\nwatch: ↓health\nschedule: \"0 9 * * *\"\ndo: [{post: ops, text: x}]",
            "beside 'schedule' only 'watch: session' is possible"
        ),
        ("name: ↓Big One\nwatch: session\ndo: [{post: ops, text: x}]", "did you mean 'big-one'?"),
        ("name: a\nwatch: session\n↓do: []", "has no steps"),
        ("name: a\nwatch: session\ndo: ↓{post: ops, text: x}", "begin each with '- '"),
        (
            "name: a\nwatch: session\nschedule: \"0 9 * * *\"\n↓keep: 5m\ndo: [{post: ops, text: x}]",
            "'keep' goes with 'watch' alone, not with 'schedule'"
        ),
        (
            "name: a\nwatch: session\nsuppress: ↓b\ndo: [{post: ops, text: x}]", "there is no rule 'b'"
        ),
        ("name: a\nwatch: session\nsuppress: ↓a\ndo: [{post: ops, text: x}]", "cannot suppress itself"),
        ("name: a\nwatch: session\nrepeat: {↓times: 3}\ndo: [{post: ops, text: x}]", "needs 'every'"),
        ("name: a\nwatch: session\nrepeat: {every: ↓0s}\ndo: [{post: ops, text: x}]", "at least"),
        (
            "name: a\nschedule: \"0 9 * * *\"\njitter: ↓24h\ndo: [{post: ops, text: x}]",
            "shorter than the time between two slots"
        ),
        ("name: a\nwatch: session\n↓jitter: 1m\ndo: [{post: ops, text: x}]", "goes with 'schedule', not with 'watch'"),
        ("name: a\nwatch: session\ndo:\n  - post: ops\n    text: x\n    if: ↓session.title", "takes a bool"),
        ("name: a\nwatch: session\ndo:\n  - hide\n  - wait: 5m\n    on_error: ↓go", "'on_error' takes stop, continue"),
        (
            "name: a\nwatch: session\nif: ↓episode.number > 1\ndo: [{post: ops, text: x}]",
            "'episode' goes with steps"
        ),
        (
            "name: a\nschedule: \"0 9 * * *\"\ndo: [{post: ops, text: \"{{ ↓fired.title }}\"}]",
            "'fired' goes with 'watch'"
        ),
        (
            "name: a\nwatch: session\nfor: 1m\nif: ↓previous.status == \"failed\"\ndo: [{post: ops, text: x}]",
            "'previous' and 'for' do not go together"
        ),
        ("name: a\nwatch: session\n↓missed: all\ndo: [{post: ops, text: x}]", "goes with 'schedule', not with 'watch'"),
        (
            "name: a\nschedule: \"0 9 * * *\"\n↓for: 1m\ndo: [{post: ops, text: x}]",
            "goes with 'watch', not with 'schedule'"
        ),
        ("name: a\nschedule: \"↓0 0 30 2 *\"\ndo: [{post: ops, text: x}]", "never matches"),
        (
            "name: a\nwatch: session\ntimezone: ↓America/Chicgo\ndo: [{post: ops, text: x}]",
            "did you mean 'America/Chicago'?"
        ),
        ("name: a\nwatch: session\ntimezone: ↓CST\ndo: [{post: ops, text: x}]", "no time zone 'CST'"),
        (
            "name: a\nwatch: session\nif: ↓session.title\ndo: [{post: ops, text: x}]",
            "takes a bool, but this is a string"
        ),
        ("name: a\nwatch: session\nif: ↓session.id\ndo: [{post: ops, text: x}]", "a bool, but this is an int"),
        ("name: a\nwatch: session\ndo:\n  - wait: ↓\"{{ session.idle }}\"", "'wait' cannot be computed"),
        (
            "name: a\nwatch: session\ndo:\n  - post: ops\n    text: x\n    urgency: ↓\"{{ 'high' }}\"",
            "'urgency' cannot be computed"
        ),
        (
            "name: a\nwatch: session\nkey: ↓session.prs\ndo: [{post: ops, text: x}]",
            "takes a string, int, bool or timestamp"
        ),
        ("name: a\nwatch: session\nif: session.idle > duration(↓\"3d\")\ndo: [{post: ops, text: x}]", "write \"72h\""),
        ("name: a\nwatch: session\nif: within(↓\"weekdays\")\ndo: [{post: ops, text: x}]", "mon-fri 09:00-17:00"),
        ("name: a\nwatch: session\nif: ↓@me\ndo: [{post: ops, text: x}]", "'if': '@' cannot begin"),
        ("name: a\nwatch: session\nif: ↓!session.pr.authorized\ndo: [{post: ops, text: x}]", "'if': '!' has a meaning"),
        ("name: a\nwatch: session\nlet: {↓now: \"1\"}\ndo: [{post: ops, text: x}]", "has a meaning already"),
        ("name: a\nwatch: session\nlet: {↓in: \"1\"}\ndo: [{post: ops, text: x}]", "is no name"),
        ("name: a\nwatch: session\nlimit: {per_poll: ↓0}\ndo: [{post: ops, text: x}]", "at least 1"),
        ("name: a\nwatch: session\nlimit: {per_poll: ↓1e3}\ndo: [{post: ops, text: x}]", "plain decimal"),
        ("name: a\nwatch: session\ncosts: ↓yesterdy\ndo: [{post: ops, text: x}]", "did you mean 'yesterday'?"),
        ("name: a\nwatch: session\nfor: ↓99999999999w\ndo: [{post: ops, text: x}]", "is no duration"),
        ("name: a\nwatch: session\ndo:\n  - ↓psot: ops\n    text: x", "no step 'psot', did you mean 'post'?"),
        ("name: a\nwatch: session\ndo:\n  - ↓restrat", "did you mean 'restart'?"),
        ("name: a\nwatch: session\ndo:\n  - ↓post: ops", "'post' needs 'text'"),
        ("name: a\nwatch: session\ndo:\n  - post: ops\n    text: x\n    ↓wait: 5m", "a step is one action"),
        (
            "name: a\nwatch: session\ndo:\n  - post: ops\n    text: x\n    chart: ↓cost_by_week",
            "takes cost_by_day, cost_by_root, not 'cost_by_week'"
        ),
        (
            "name: a\nwatch: session\ngroup: {↓wait: 5s}\ndo: [{post: ops, text: x}]", "'group' needs 'by'"
        ),
        (
            "name: a\nwatch: session\ngroup: {by: ↓session.prs}\ndo: [{post: ops, text: x}]",
            "'by' takes a string, int, bool or timestamp"
        ),
        (
            "name: a\nwatch: session\nquiet: ↓\"22-07\"\ndo: [{post: ops, text: x}]",
            "'quiet' takes times of the week"
        ),
        (
            "name: a\nwatch: session\nquiet: ↓[\"00:00-12:00\", \"12:00-24:00\"]\ndo: [{post: ops, text: x}]",
            "leaves no time"
        ),
        (
            "name: a\nwatch: session\nif: ↓channels.opss.state == \"up\"\ndo: [{post: ops, text: x}]",
            "there is no channel 'opss', did you mean 'ops'?"
        ),
        (
            "name: a\nwatch: session\nif: channels[↓\"pager\"].state == \"up\"\ndo: [{post: ops, text: x}]",
            "there is no channel 'pager'"
        ),
        ("name: a\nwatch: session\ndo:\n  - hide:\n    ↓urgency: high", "goes with 'post'"),
        ("name: a\nwatch: session\ndo:\n  - ↓wait", "needs a value"),
        ("name: a\nwatch: session\ndo:\n  - snooze: {for: ↓soon}", "is no duration"),
        ("name: a\nwatch: session\ndo:\n  - snooze: ↓3d", "write 'snooze: {for: …}'"),
        ("name: a\nwatch: session\ndo:\n  - post: ↓{channel: ops}\n    text: x", "not a map"),
        ("name: a\nwatch: ↓sessions\nif: session.id > 3\ndo: [archive]", "did you mean 'session'?"),
        (
            "name: a\nwatch: session\nif: \" ↓{{ session.id > 3 }}\"\ndo: [{post: ops, text: x}]",
            "without '{{ }}'"
        ),
        (
            "name: a\nwatch: session\nif: session.id > 3 ↓and session.id < 9\ndo: [{post: ops, text: x}]",
            "'and' is written '&&'"
        ),
        ("name: a\nwatch: session\ndo:\n  - snooze: {until: ↓someday}", "monday 09:00"),
        ("name: a\nwatch: session\ndo:\n  - snooze: {for: \"{{ ↓session.title }}\"}", "takes a duration"),
        ("name: a\nwatch: session\ndo:\n  - note: {append: x, ↓replace: y}", "not both"),
        ("name: a\nwatch: session\ndo:\n  - favorite: ↓no", "write false"),
        ("name: a\nwatch: session\ndo:\n  - archive: {from: [↓runing]}", "did you mean 'running'?"),
        ("name: a\nwatch: session\ndo:\n  - log: {text: x, level: ↓loud}", "takes info"),
        ("name: a\nwatch: health\ndo:\n  - ↓archive", "this rule has none"),
        ("name: a\nschedule: \"0 9 * * *\"\ndo:\n  - ↓hide", "this rule has none"),
        ("name: a\nwatch: session\ndo:\n  - post: ops\n    text: Fix it ↓#12", "quote the text"),
        ("name: a\nwatch: session\ndo:\n  - post: ops\n    text: \"a ↓{{ b\"", "never closed"),
        ("name: a\nwatch: session\ndo:\n  - post: ops\n    text: \"a ↓{{ }} b\"", "nothing in these braces"),
        (
            "name: a\nwatch: session\ndo:\n  - post: ops\n    text: \"\\t\\u00e9{{ ↓sesion.title }}\"",
            "did you mean 'session'?"
        ),
        (
            "name: a\nwatch: session\nif: >\n  session.status == \"failed\" ↓// gone\n  && session.id > 3\ndo: [{post: ops, text: x}]",
            "use `|`"
        ),
        (
            "name: a\nwatch: session\nif: session.id > 3\n  ↓// a note\n  && session.id < 9\ndo: [{post: ops, text: x}]",
            "use `|`"
        ),
        (
            "name: a\nwatch: session\nif: session.title == \"issue ↓#12\"\ndo: [{post: ops, text: x}]",
            "takes for a comment"
        ),
    ]

    @Test(arguments: rules.indices)
    func `what is wrong with a rule is said where it is`(row: Int) {
        let (marked, words) = Self.rules[row]
        let body = "  - " + marked.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
        let source = MarkedText(TestWorld.head + "rules:\n" + body + "\n")
        let (file, diagnostics) = TestWorld.load(source.text)
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == source.marks, "\(diagnostics.map(\.description).joined(separator: "\n"))")
        #expect(
            diagnostics.first?.description.contains(words) == true, "\(diagnostics.first?.description ?? "nothing")")
    }

    static let files: [(marked: String, words: String)] = [
        ("↓rulse: []", "did you mean 'rules'?"),
        ("↓plugins: [a]", "'plugins' is not supported by this version"),
        ("store: {max_size: ↓1 GB}", "write a whole number and a unit"),
        ("store: {max_size: ↓1MB}", "10MB to 1TB"),
        ("store: {max_size: ↓9999999999999999TB}", "10MB to 1TB"),
        ("store: {keep: ↓1y}", "is no duration"),
        ("store: {keep: ↓1000d}", "at most"),
        ("store: {↓max: 1GB}", "max_size"),
        ("zimmer: {↓url: zimmer.example.com, api_key: {env: A}}".replacing("↓url: ", with: "url: ↓"), "https://"),
        ("zimmer: {url: ↓\"https://me:pw@zimmer.example.com\", api_key: {env: A}}", "without a name and password"),
        ("zimmer: {url: ↓\"https://z.example.com/?key=1\", api_key: {env: A}}", "without a '?'"),
        ("zimmer: {url: ↓\"https://z.example.com:99999\", api_key: {env: A}}", "1 to 65535"),
        (
            "zimmer: {url: ↓\"https://z.example.com/api/v1/\", api_key: {env: A}}",
            "did you mean 'https://z.example.com'?"
        ),
        ("zimmer: {url: \"https://z.example.com\", api_key: {env: ↓$KEY}}", "without '$'"),
        ("channels: {a: {adapter: webhook, url: {env: A}, headers: {Authorization: ↓Bearer x}}}", "write {env: NAME}"),
        ("zimmer: {↓url: \"https://z.example.com\"}", "needs 'api_key'"),
        ("zimmer: {url: \"https://z.example.com\", api_key: {env: A}, heartbeat: {↓every: 1m}}", "needs 'url'"),
        ("zimmer: {url: \"https://z.example.com\", api_key: {env: A}, poll: {board: ↓0s}}", "at least 1 s"),
        ("zimmer: {url: \"https://z.example.com\", api_key: {env: A}, poll: {triggers: ↓0s}}", "at least 1 s"),
        ("zimmer: {url: \"https://z.example.com\", api_key: ↓{env: A, file: b}}", "write one of"),
        ("zimmer: {url: \"https://z.example.com\", api_key: {env: ↓sk-123}}", "not the secret itself"),
        ("zimmer: {url: \"https://z.example.com\", api_key: {env: A}, allow: [↓snoose]}", "did you mean 'snooze'?"),
        ("channels: {ops: {adapter: ↓matrix}}", "'matrix' is not supported by this version"),
        ("channels: {ops: {adapter: ↓consol}}", "did you mean 'console'?"),
        ("channels: {↓ops: {color: auto}}", "needs 'adapter'"),
        ("channels: {ops: {↓adapter: webhook}}", "needs 'url'"),
        ("channels: {ops: {adapter: webhook, url: {env: A}, format: ↓ntfy}}", "not supported by this version"),
        ("channels: {ops: {adapter: console, ↓commands: {allow: [a]}}}", "not supported by this version"),
        ("channels: {ops: {adapter: console, rate: {↓burst: 3}}}", "'rate' needs 'per'"),
        ("channels: {ops: {adapter: console, detail: ↓titel}}", "did you mean 'title'?"),
        ("channels: {ops: {adapter: console, deadline: ↓0s}}", "at least 1 s"),
        ("channels: {ops: {adapter: console, ↓colour: auto}}", "did you mean 'color'?"),
        ("channels:\n  ops:\n    adapter: webhook\n    url: {env: A}\n    topic: ↓#ops", "quote the text"),
        ("channels: {ops: {adapter: console}}\nnotices: {channels: [↓opss]}", "did you mean 'ops'?"),
        ("defaults: {timezone: ↓Mars/Olympus}", "no time zone"),
        ("defaults: {urgency: ↓hihg}", "did you mean 'high'?"),
        ("vars: {↓a-b: 1}", "is no name"),
        ("rules: ↓{name: a}", "begin each with"),
    ]

    @Test(arguments: files.indices)
    func `what is wrong with the settings is said where it is`(row: Int) {
        let (marked, words) = Self.files[row]
        let needsZimmer = !marked.hasPrefix("zimmer")
        let zimmer = needsZimmer ? "\nzimmer: {url: \"https://z.example.com\", api_key: {env: A}}" : ""
        let source = MarkedText(marked + zimmer + "\n")
        let (file, diagnostics) = TestWorld.load(source.text)
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == source.marks, "\(diagnostics.map(\.description).joined(separator: "\n"))")
        #expect(
            diagnostics.first?.description.contains(words) == true, "\(diagnostics.first?.description ?? "nothing")")
    }

    @Test(arguments: [
        "zimmer: {url: \"https://z.example.com\", api_key: HUSH}",
        "zimmer:\n  api_key: |\n    HUSH\n  url: x",
        "zimmer: {url: \"https://z.example.com\", api_kye: HUSH}",
        "zimmer: {url: \"https://me:HUSH@z.example.com\", api_key: {env: A}}",
        "zimmer: {url: \"https://z.example.com\", api_key: {env: \"HUSH/x\"}}",
        "zimmer: {url: \"https://z.example.com\", api_key: [HUSH]}",
        "zimmer:\n  api_key: \"HUSH\" and more\n  url: \"https://z.example.com\"",
        "zimmer:\n  api_key: @HUSH\n",
        "zimmer:\n  api_key: 'HUSH\n",
        "zimmer:\n  api_key: HUSH: x\n",
        "zmmer: {url: \"https://z.example.com\", api_key: HUSH}",
        "channels: {a: {adapter: webhok, url: HUSH}}",
        "channels: {a: {url: HUSH}}",
        "channels: {a: {adapter: webhook, url: HUSH}}",
        "channels: {a: {adapter: webhook, url: {env: A}, token: HUSH}}",
        "channels: {a: {adapter: webhook, url: {env: A}, headers: {Authorization: {envv: HUSH}}}}",
        "channels: {a: {adapter: webhook, url: {env: A}, headers: {Authorization: Bearer HUSH}}}",
        "channels: {a: {adapter: webhook, url: {env: A}, headers: {X-Api_Key: [HUSH]}}}",
        "channels: {a: {adapter: webhook, url: {env: A}, headers: {X-Mine: HUSH}, timeot: 5s}}",
        "channels:\n  a:\n    headers:\n      Authorization: HUSH: x\n",
    ])
    func `no diagnostic shows a secret`(text: String) {
        let (_, diagnostics) = TestWorld.load(text)
        #expect(!diagnostics.isEmpty)
        for diagnostic in diagnostics { #expect(!diagnostic.description.contains("HUSH"), "\(diagnostic)") }
    }

    static let warnings: [(rule: String, words: [String])] = [
        (
            "name: a\nwatch: session\nif: session.status == \"archived\"\ndo: [{post: ops, text: x}]",
            ["archived sessions are not watched"]
        ),
        ("name: a\nwatch: session\nif: now.getHours() > 8\ndo: [{post: ops, text: x}]", ["without a zone means UTC"]),
        ("name: a\nwatch: session\nif: session.idle.getHours() > 8\ndo: [{post: ops, text: x}]", []),
        ("name: a\nwatch: session\nif: within(\"mon-fri\")\ndo: [{post: ops, text: x}]", ["means UTC here"]),
        ("name: a\nwatch: session\ntimezone: Europe/Berlin\nif: within(\"mon-fri\")\ndo: [{post: ops, text: x}]", []),
        ("name: a\nwatch: session\nif: session.status == \"faild\"\ndo: [{post: ops, text: x}]", ["failed"]),
        (
            "name: a\nschedule: \"0 0 13 * 5\"\ndo: [{post: ops, text: x}]",
            ["next on 2026-10-13, 2026-10-16, 2026-10-23"]
        ),
        (
            "name: a # why\nwatch: session # here\nif: session.id > 3 # enough\nfor: 5m # long\ndo: [{post: ops, text: x}]",
            []
        ),
        ("name: a\nwatch: session\nif: >\n  session.id > 3 // the end\ndo: [{post: ops, text: x}]", []),
        ("name: a\nwatch: session\ndo: [{post: ops, text: \"{{ session.prs.sortBy(p, p.url).map(p, p.url) }}\"}]", []),
        (
            "name: a\nwatch: session\nif: board.exists(a, board.exists(b, a.id == b.id))\ndo: [{post: ops, text: x}]",
            ["more steps than the 1000000"]
        ),
        ("name: a\nwatch: session\nif: board.exists(a, a.prs.size() > 3)\ndo: [{post: ops, text: x}]", []),
        (
            "name: a\nwatch: session\ndo: [{post: ops, text: \"{{ session.prs.exists(result, result.ci == 'pass') }}\"}]",
            []
        ),
    ]

    @Test(arguments: warnings.indices)
    func `what is allowed but probably not meant is a warning`(row: Int) {
        let (text, words) = Self.warnings[row]
        let (rule, diagnostics) = TestWorld.load(rule: text)
        #expect(rule != nil)
        #expect(diagnostics.count == words.count, "\(diagnostics.map(\.description).joined(separator: "\n"))")
        for (diagnostic, word) in zip(diagnostics, words) {
            #expect(diagnostic.severity == .warning)
            #expect(diagnostic.message.contains(word) || diagnostic.description.contains(word), "\(diagnostic)")
        }
    }

    @Test func `a warning stays one beside an error in the same expression`() {
        let (_, diagnostics) = TestWorld.load(
            rule: """
                name: a
                watch: session
                if: session.statsu == "failed" && session.status == "faild"
                do: [{post: ops, text: hi}]
                """)
        #expect(diagnostics.map(\.severity) == [.error, .warning])
    }

    @Test func `a write without notices is warned about once`() {
        let text = """
            zimmer: {url: "https://z.example.com", api_key: {env: A}}
            rules:
              - {name: a, watch: session, do: [hide]}
              - {name: b, watch: session, do: [archive]}
            """
        let (file, diagnostics) = TestWorld.load(text)
        #expect(file != nil)
        #expect(diagnostics.map(\.place) == ["3:12"])
    }

    @Test func `steps beyond zimmer's allow are refused`() {
        let source = MarkedText(
            """
            zimmer: {url: "https://z.example.com", api_key: {env: A}, allow: [hide]}
            channels: {ops: {adapter: console}}
            notices: {channels: [ops]}
            rules:
              - {name: a, watch: session, do: [hide, ↓archive, {post: ops, text: x}]}
            """)
        let (_, diagnostics) = TestWorld.load(source.text)
        #expect(diagnostics.map(\.place) == source.marks)
        #expect(diagnostics.first?.message.contains("zimmer.allow") == true)
    }

    @Test func `what is not UTF-8 is refused where it begins`() {
        let bytes = Array("rules:\n  - ".utf8) + [0xFF, 0xFE]
        let (file, diagnostics) = RuleFile.load(
            bytes, file: "x", vocabulary: TestWorld.vocabulary, channels: [], now: instant("2026-10-09T12:00:00Z"))
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == ["2:5"])
    }

    @Test(arguments: [
        ("timeout: ↓0s", "takes at least 1 s"), ("timeout: ↓6m", "takes at most 5 min"),
        ("headers: {↓X A: b}", "a header's name has"), ("headers: {↓Webhook-Id: b}", "by the adapter itself"),
        ("headers: {↓X-A: \"b\\nX-B: c\"}", "it is one line"),
    ])
    func `what no adapter could send is wrong in the file already`(marked: String, words: String) {
        let source = MarkedText("channels:\n  hook:\n    adapter: webhook\n    url: {env: HOOK}\n    \(marked)\n")
        let errors = TestWorld.load(source.text).diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.place) == source.marks)
        #expect(errors.first?.message.contains(words) == true, "\(errors)")
    }

    @Test(arguments: ["https://zimmér.example.com", "https:///zimmer", "https://:8080", "https://a b.example.com"])
    func `an address that could not be connected to is wrong in the file already`(url: String) {
        let source = MarkedText("zimmer:\n  url: ↓\(url)\n  api_key: {env: KEY}\n")
        #expect(TestWorld.load(source.text).diagnostics.map(\.place) == source.marks)
    }

    @Test(arguments: [
        ("session.id === 3", "'===' is written '=='"), ("session.pr == None", "it is written null"),
        ("session.idle > 3d", "'3d' is written duration(\"72h\")"),
        ("session.titel == 'a'", "undefined field 'titel' of session, did you mean 'title'?"),
    ])
    func `a message names what would be right once`(condition: String, end: String) {
        let body = "  - name: a\n    watch: session\n    if: |\n      \(condition)\n    do: [{post: ops, text: x}]\n"
        let (_, diagnostics) = TestWorld.load(TestWorld.head + "rules:\n" + body)
        let head = diagnostics.map { $0.description.split(separator: "\n")[0] }
        #expect(head.map { $0.hasSuffix(end) } == [true], "\(head)")
    }
}

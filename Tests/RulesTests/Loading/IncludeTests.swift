import CEL
import Testing

@testable import Rules

@Suite struct IncludeTests {
    /// Files in memory; a nil one cannot be read.
    private struct Files: RuleFileReader {
        var texts: [String: String?]

        func paths(matching pattern: FilePattern) throws(RuleFileReaderFailure) -> [String] {
            if pattern.isPlain { return [pattern.path(of: pattern.name)] }
            guard pattern.folder != "locked" else { throw RuleFileReaderFailure(reason: "Permission denied") }
            let names = texts.keys.filter { FilePattern.folder(of: $0) == pattern.folder }
                .map { String($0.split(separator: "/").last ?? "") }
            return names.filter(pattern.matches).map(pattern.path)
        }

        func bytes(of path: String) throws(RuleFileReaderFailure) -> [UInt8] {
            guard let text = texts[path] ?? nil else {
                throw RuleFileReaderFailure(reason: "No such file or directory")
            }
            return Array(text.utf8)
        }
    }

    private func load(
        _ text: String, file: String = "rules.yaml", _ files: [String: String?]
    ) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        RuleFile.load(
            (TestWorld.head + text).utf8, file: file, vocabulary: TestWorld.vocabulary, channels: TestWorld.channels,
            now: instant("2026-10-09T12:00:00Z"), including: Files(texts: files))
    }

    private func rule(_ name: String, if condition: String = "session.status == \"failed\"") -> String {
        """
        rules:
          - name: \(name)
            watch: session
            if: \(condition)
            do: [{post: ops, text: "\(name)"}]

        """
    }

    @Test func `included files add their rules, sorted by name, after those of the file`() throws {
        let (file, diagnostics) = load(
            "include: [rules.d/*.yaml, more/one.yaml]\n" + rule("main"), file: "etc/rules.yaml",
            [
                "etc/rules.d/b.yaml": rule("b"), "etc/rules.d/a.yaml": rule("a"), "etc/rules.d/a.yml": rule("no"),
                "etc/rules.d/.hidden.yaml": rule("no"), "etc/more/one.yaml": rule("one"),
                "etc/more/two.yaml": rule("no"),
            ])
        #expect(diagnostics.map(\.description) == [])
        #expect(try #require(file).rules.map(\.name) == ["main", "a", "b", "one"])
        #expect(file?.rules.map(\.position.file).last == "etc/more/one.yaml")
    }

    @Test func `constants of every file are there for all rules`() {
        let (file, diagnostics) = load(
            "include: more.yaml\nvars: {team: a}\n" + rule("main", if: "session.title == vars.other"),
            ["more.yaml": "vars: {other: b}\n" + rule("more", if: "session.title == vars.team")])
        #expect(diagnostics.map(\.description) == [])
        #expect(file?.rules.count == 2)
    }

    @Test func `what is wrong in an included file is shown there`() {
        let (file, diagnostics) = load(
            "include: [more.yaml]\n" + rule("main"),
            ["more.yaml": rule("more", if: "session.statsu == \"failed\"")])
        #expect(file == nil)
        #expect(
            diagnostics.map(\.description) == [
                """
                more.yaml:4:17: error: undefined field 'statsu' of session, did you mean 'status'?
                        if: session.statsu == "failed"
                                    ^~~~~~
                """
            ])
    }

    @Test func `a name that two files have is an error that names both places`() {
        let (file, diagnostics) = load(
            "include: [more.yaml]\nvars: {team: a}\n" + rule("one"),
            ["more.yaml": "vars: {team: b}\n" + rule("one")])
        #expect(file == nil)
        #expect(
            diagnostics.map { "\($0.position) \($0.message)" } == [
                "more.yaml:1:8 'team' is in 'vars' already, at rules.yaml:5:8",
                "more.yaml:3:11 there is a rule 'one' already, at rules.yaml:7:11",
            ])
    }

    @Test(arguments: [
        ("include: [↓a.yaml]", "'a.yaml' cannot be read: No such file or directory"),
        ("include: [↓locked/*.yaml]", "the folder of 'locked/*.yaml' cannot be read: Permission denied"),
        ("include: [↓d*/a.yaml]", "parts of a file's name, not of a folder's"),
        ("include: [↓rules.d/**.yaml]", "'**' is not supported"),
        ("include: [↓rules.d/]", "a folder is included by its files: rules.d/*.yaml"),
        ("include: [↓rules.yaml]", "'rules.yaml' is read already"),
        ("include: ↓{a: b}", "takes a word or a list of them"),
        ("include: [ok.yaml, ↓ok.yaml]", "'ok.yaml' is read already"),
    ])
    func `what cannot be included is an error at its word`(marked: String, words: String) {
        let source = MarkedText(TestWorld.head + marked + "\n")
        let (file, diagnostics) = load(
            marked.replacing("↓", with: "") + "\n" + rule("main"), ["ok.yaml": rule("ok")])
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == source.marks)
        #expect(diagnostics.first?.message.contains(words) == true, "\(diagnostics)")
    }

    @Test func `a pattern that matches nothing is a warning`() {
        let (file, diagnostics) = load("include: [rules.d/*.yaml]\n" + rule("main"), [:])
        #expect(file?.rules.count == 1)
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.first?.message == "no file matches 'rules.d/*.yaml'")
    }

    @Test func `a pattern for this folder does not include the file itself, nor another one twice`() {
        let (file, diagnostics) = load(
            "include: ['*.yaml', '?.yaml']\n" + rule("main"), ["rules.yaml": rule("main"), "a.yaml": rule("a")])
        #expect(diagnostics.map(\.description) == [])
        #expect(file?.rules.map(\.name) == ["main", "a"])
    }

    @Test(arguments: [
        "zimmer: {url: x}", "channels: {}", "notices: {}", "defaults: {}", "plugins: []", "include: [b.yaml]",
    ])
    func `an included file has rules and constants only`(line: String) {
        let (file, diagnostics) = load("include: [a.yaml]\n", ["a.yaml": line + "\n" + rule("a"), "b.yaml": rule("b")])
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == ["1:1"])
        #expect(diagnostics.first?.position.file == "a.yaml")
    }

    @Test func `a secret in an included file is not shown`() {
        let (_, diagnostics) = load(
            "include: [a.yaml]\n", ["a.yaml": "zimmer: {api_key: very-secret}\n" + rule("a", if: "]")])
        #expect(!diagnostics.isEmpty)
        #expect(!diagnostics.contains { $0.description.contains("very-secret") })
    }

    @Test func `more than a hundred files are refused`() {
        let files = Dictionary(uniqueKeysWithValues: (0..<101).map { ("d/\($0).yaml", Optional(rule("r\($0)"))) })
        let (file, diagnostics) = load("include: [d/*.yaml]\n", files)
        #expect(file == nil)
        #expect(diagnostics.map(\.message) == ["more than 100 files are included"])
    }

    @Test func `a text that is no file includes none`() {
        let (file, diagnostics) = TestWorld.load(TestWorld.head + "include: [a.yaml]\n" + rule("a"))
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == ["4:11"])
    }

    @Test(arguments: [
        ("*.yaml", "a.yaml", true), ("*.yaml", "a.yml", false), ("*.yaml", ".a.yaml", false), ("*", "a", true),
        (".*", ".a", true), ("?.yaml", "é.yaml", true), ("?.yaml", "ab.yaml", false), ("a*b*c", "a-b-bc", true),
        ("a*b*c", "a-b-b", false), ("[ab].yaml", "a.yaml", false), ("[ab].yaml", "[ab].yaml", true), ("a?", "a", false),
    ])
    func `a pattern matches names`(pattern: String, name: String, matches: Bool) throws {
        #expect(try FilePattern(parsing: pattern, in: "").matches(name) == matches)
    }

    @Test func `a pattern of many stars takes no longer than it is long`() throws {
        let pattern = try FilePattern(parsing: String(repeating: "*a", count: 120) + "b", in: "")
        #expect(!pattern.matches(String(repeating: "a", count: 255)))
    }
}

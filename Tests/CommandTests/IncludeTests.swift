import BotTestSupport
import CEL
import Foundation
import Rules
import Testing

@testable import zimmer_bot

@Suite struct IncludeTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let rule = """
        rules:
          - name: NAME
            watch: session
            if: session.status == "STATUS"
            do: [{post: ops, text: NAME}]
        """

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write(
            """
            zimmer: {url: "https://zimmer.example.com", api_key: {env: KEY}}
            channels: {ops: {adapter: console}}
            include: [rules.d/*.yaml]
            """, to: "rules.yaml")
        try FileManager.default.createDirectory(atPath: directory.path("rules.d"), withIntermediateDirectories: true)
    }

    @discardableResult
    private func add(_ name: String, status: String = "failed") throws -> String {
        let rule = Self.rule.replacing("NAME", with: name).replacing("STATUS", with: status)
        return try directory.write(rule, to: "rules.d/\(name).yaml")
    }

    private func check() async -> Call { await Call("check", path, environment: ["KEY": "x"]) }

    @Test func `check counts the rules of all files, and shows mistakes where they are`() async throws {
        try add("one")
        let second = try add("two")
        #expect(await check().output == "\(path): 2 rules; no writes to Zimmer\n")
        try directory.write("rules: [{name: two}]", to: "rules.d/two.yaml")
        let call = await check()
        #expect(call.code == .findings)
        #expect(call.errors.hasPrefix("\(second):1:10: error: "))
        #expect(call.output.hasSuffix("; 2 errors\n") || call.output.hasSuffix(": 2 errors\n"))
    }

    @Test func `folders, pipes, links in a circle and files that may not be read are said`() async throws {
        let folder = directory.path("rules.d")
        try FileManager.default.createDirectory(atPath: folder + "/a.yaml", withIntermediateDirectories: true)
        mkfifo(folder + "/b.yaml", 0o600)
        try FileManager.default.createSymbolicLink(atPath: folder + "/c.yaml", withDestinationPath: "c.yaml")
        try FileManager.default.createSymbolicLink(atPath: folder + "/d.yaml", withDestinationPath: "/dev/zero")
        let call = await check()
        #expect(call.code == .findings)
        for (name, reason) in [
            ("a", "it is a folder"), ("b", "it is no regular file"), ("c", "Too many levels of symbolic links"),
            ("d", "it is no regular file"),
        ] {
            #expect(call.errors.contains("'\(folder)/\(name).yaml' cannot be read: \(reason)"), "\(call.errors)")
        }
    }

    @Test func `a file that is too long is refused`() async throws {
        try directory.write(String(repeating: "#", count: RuleFile.maximumBytes + 1), to: "rules.d/long.yaml")
        #expect(await check().errors.contains("long.yaml' cannot be read: it is larger than 1 MiB"))
    }

    // MARK: - What is watched

    private func read() -> RuleFileSources {
        let sources = RuleFileSources(path)
        let context = CommandContext(
            output: Output(results: CapturedText(), diagnostics: CapturedText()), environment: [:],
            now: { Timestamp(seconds: 0) }, isJSON: false, stateOption: nil)
        _ = Configuration(path: path, context: context).read(sources)
        return sources
    }

    @Test func `an included file that changes is seen, and one that appears or goes`() throws {
        try add("one")
        let sources = read()
        let before = try #require(sources.stampWhenRead)
        #expect(sources.stamp == before)
        try add("one", status: "needs_input")
        let edited = try #require(sources.stamp)
        #expect(edited != before)
        try add("two")
        let two = try #require(sources.stamp)
        #expect(two != edited)
        try directory.write("# no rules", to: "rules.d/notes.txt")
        #expect(sources.stamp == two)
        try FileManager.default.removeItem(atPath: directory.path("rules.d/two.yaml"))
        #expect(sources.stamp == edited)
    }

    @Test func `a folder and a file that are not there yet are waited for`() throws {
        try FileManager.default.removeItem(atPath: directory.path("rules.d"))
        let sources = read()
        let before = try #require(sources.stampWhenRead)
        #expect(sources.stamp == before)
        try FileManager.default.createDirectory(atPath: directory.path("rules.d"), withIntermediateDirectories: true)
        #expect(sources.stamp == before)
        try add("one")
        #expect(sources.stamp != before)
    }

    @Test func `a file that is bad is still watched`() throws {
        try directory.write("rules: [", to: "rules.d/one.yaml")
        let sources = read()
        let before = try #require(sources.stampWhenRead)
        try add("one")
        #expect(sources.stamp != before)
    }
}

import BotTestSupport
import Foundation
import Testing

@testable import zimmer_bot

@Suite struct CheckCommandTests {
    private let directory: TemporaryDirectory
    private static let good = """
        zimmer: {url: "https://zimmer.example.com", api_key: {env: ZIMMER_API_KEY}}
        channels:
          ops: {adapter: console}
        notices: {channels: [ops]}
        rules:
          - name: failed-session
            watch: session
            if: session.status == "failed"
            do:
              - post: ops
                text: "{{ session.title }} failed"
          - name: snooze-stale
            watch: session
            if: session.idle > duration("72h")
            do:
              - snooze: {for: 7d}

        """

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func file(replacing old: String = "", with new: String = "") throws -> String {
        try directory.write(old.isEmpty ? Self.good : Self.good.replacing(old, with: new), to: "rules.yaml")
    }

    @Test func `a good file is summed up, with the calls that its rules may make`() async throws {
        let path = try file()
        let call = await Call("check", path, environment: ["ZIMMER_API_KEY": "secret-value"])
        #expect(call.code == .success)
        #expect(call.errors.isEmpty)
        #expect(call.output == "\(path): 2 rules; may write: visibility\n")
    }

    @Test func `every mistake is shown with its line, and the code is 2`() async throws {
        let path = try file(replacing: "session.status ==", with: "session.statsu ==")
        let call = await Call("check", path)
        #expect(call.code == .findings)
        #expect(call.output == "\(path): 1 error\n")
        #expect(
            call.errors == """
                \(path):8:17: error: undefined field 'statsu' of session, did you mean 'status'?
                        if: session.statsu == "failed"
                                    ^~~~~~

                """)
    }

    @Test func `a secret that is missing is a warning, which counts under --strict only`() async throws {
        let path = try file()
        let call = await Call("check", path)
        #expect(call.code == .success)
        #expect(call.errors.contains("rules.yaml:1:54: warning: the environment has no ZIMMER_API_KEY"))
        #expect(call.output.hasSuffix("; 1 warning\n"))
        #expect(await Call("check", "--strict", path).code == .findings)
    }

    @Test func `a secret in a file that everybody can read is a warning`() async throws {
        try directory.write("key", to: "key")
        let path = try file(replacing: "{env: ZIMMER_API_KEY}", with: "{file: key}")
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: directory.path("key"))
        let call = await Call("check", path)
        #expect(call.code == .success)
        #expect(call.errors.contains(":1:54: warning: everybody on this machine can read "))
        #expect(call.errors.hasSuffix("/key; chmod o-r it\n"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: directory.path("key"))
        #expect(await Call("check", path).errors.isEmpty)
    }

    @Test func `a file without anything in it has no line to show`() async throws {
        let path = try directory.write("\n", to: "empty.yaml")
        #expect(await Call("check", path).errors == "\(path):1:1: error: the file is empty\n")
    }

    @Test func `a file without an end is refused`() async throws {
        let call = await Call("check", "/dev/zero")
        #expect(call.code == .findings)
        #expect(call.errors == "/dev/zero:1:1: error: the file cannot be read: it is larger than 1 MiB\n")
    }

    @Test func `a file that cannot be read does not hide what is wrong with another`() async throws {
        let path = try file(replacing: "watch: session", with: "wacth: session")
        let call = await Call("check", directory.path("none.yaml"), path)
        #expect(call.code == .findings)
        #expect(call.errors.contains("none.yaml:1:1: error: the file cannot be read: No such file or directory"))
        #expect(call.errors.contains("did you mean 'watch'?"))
    }

    @Test func `YAML's own errors are findings too`() async throws {
        let call = await Call("check", try directory.write("rules: [\n", to: "broken.yaml"))
        #expect(call.code == .findings)
        #expect(call.errors.contains("broken.yaml:"))
    }

    @Test func `JSON lists what was found, and nothing else is printed`() async throws {
        let path = try file(replacing: "post: ops", with: "post: opps")
        let call = await Call("check", path, "--json", environment: ["ZIMMER_API_KEY": "x"])
        #expect(call.code == .findings)
        #expect(call.errors.isEmpty)
        #expect(
            call.output == """
                [{"severity":"error","message":"there is no channel 'opps'","file":"\(path)","line":10,"column":15,\
                "length":4,"suggestion":"ops"}]

                """)
        #expect(await Call("check", try file(), "--json", environment: ["ZIMMER_API_KEY": "x"]).output == "[]\n")
    }
}

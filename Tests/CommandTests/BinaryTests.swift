import BotTestSupport
import Testing

/// What only the real program shows.
@Suite struct BinaryTests {
    @Test func `results go to standard output, mistakes to standard error, and the status says which`() async throws {
        let version = try await ChildProcess.run(["version"])
        #expect(version.status == .exited(0))
        #expect(version.standardOutput.hasPrefix("zimmer-bot "))
        #expect(version.standardError.isEmpty)

        let mistake = try await ChildProcess.run(["versoin"])
        #expect(mistake.status == .exited(64))
        #expect(mistake.standardOutput.isEmpty)
        #expect(mistake.standardError.contains("did you mean 'version'?"))
    }

    @Test func `a pipe gets no colour`() async throws {
        let schedule = try await ChildProcess.run(["schedule", "@daily"], environment: ["TERM": "xterm"])
        #expect(schedule.status == .exited(0))
        #expect(!schedule.standardOutput.contains("\u{1B}"))
    }

    @Test func `a reader that goes away ends the program quietly`() async throws {
        let command = "'\(ChildProcess.zimmerBot)' schedule '* * * * *' --count 1000; echo $? >&3"
        let child = try ChildProcess(["-c", "(\(command)) 3>&2 | true"], program: "/bin/sh")
        let result = await child.result()
        #expect(result.standardError == "0\n")
    }

    @Test func `the demo prints what is written to Zimmer with the time of its day`() async throws {
        let demo = try await ChildProcess.run(["demo", "--seconds", "2"])
        #expect(demo.status == .exited(0))
        let write = try #require(demo.standardOutput.split(separator: "\n").first { $0.contains("→ zimmer") })
        #expect(write.starts(with: "2026-10-09 1"))
        #expect(write.contains("Z  → zimmer  PATCH /api/v1/sessions/"))
        let summary = try #require(demo.standardOutput.split(separator: "\nWhat was decided, and why\n").last)
        let lines = summary.split(separator: "\n")
        let because = try #require(lines.last { $0.hasPrefix("snooze-stale ") && $0.contains("  session 12") })
        #expect(because.contains("session.status: needs_input"), "\(because)")
    }
}

import BotTestSupport
import DemoZimmer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DemoCommandTests {
    @Test func `the demo ends when its time is up, and sums up`() async throws {
        let demo = try await ChildProcess.run(["demo", "--seconds", "3"], environment: [:])
        #expect(demo.status == .exited(0), "\(demo.standardError)")
        for text in ["What was decided, and why", "snooze-stale", "Writes to Zimmer: "] {
            #expect(demo.standardOutput.contains(text), "\(text) is missing in \(demo.standardOutput)")
        }
    }

    @Test func `with --json standard output has the summary alone`() async throws {
        let demo = try await ChildProcess.run(["demo", "--speed", "20000", "--json"], environment: [:])
        let summary = try #require(JSON(parsing: Array(demo.standardOutput.utf8)), "\(demo)")
        #expect(summary["writes"]?.integer.map { $0 > 0 } == true)
        #expect(demo.standardError.contains("→ zimmer"))
        #expect(demo.standardError.contains("  ops  firing  failed-session"))
    }

    @Test func `the demo shows writes and messages as they happen, and can be interrupted`() async throws {
        let demo = try ChildProcess(["demo"], environment: [:])
        var awaited: Set = ["→ zimmer", "→ pager", "  ops  firing  failed-session"]
        for await line in demo.lines {
            awaited = awaited.filter { !line.contains($0) }
            if awaited.isEmpty { break }
        }
        #expect(awaited.isEmpty)
        demo.signal(SIGINT)
        let result = await demo.result()
        #expect(result.status == .exited(0), "\(result.standardError)")
        #expect(result.standardOutput.contains("What was decided, and why"))
    }
}

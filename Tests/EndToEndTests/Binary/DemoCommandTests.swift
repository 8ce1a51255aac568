import BotTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DemoCommandTests {
    @Test func `the demo plays, shows messages and writes, and sums up`() async throws {
        let demo = try await ChildProcess.run(["demo", "--seconds", "4"], environment: [:])
        #expect(demo.status == .exited(0), "\(demo.standardError)")
        for text in ["→ zimmer", "→ pager", "What was decided, and why", "Writes to Zimmer: "] {
            #expect(demo.standardOutput.contains(text), "\(text) is missing in \(demo.standardOutput)")
        }
    }

    @Test func `the demo can be interrupted, and still sums up`() async throws {
        let demo = try ChildProcess(["demo"], environment: [:])
        for await line in demo.lines where line.contains("→ zimmer") { break }
        demo.signal(2)
        let result = await demo.result()
        #expect(result.status == .exited(0), "\(result.standardError)")
        #expect(result.standardOutput.contains("What was decided, and why"))
    }
}

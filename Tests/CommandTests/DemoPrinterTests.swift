import BotCore
import DemoZimmer
import Testing

@testable import zimmer_bot

@Suite struct DemoPrinterTests {
    @Test(.timeLimit(.minutes(10)))
    func `the demo ends when nobody reads what it prints`() async throws {
        let server = try DemoServer(day: .friday, speed: 1)
        let pager = try RecordingWebhook()
        defer {
            server.stop()
            pager.stop()
        }
        let output = Output(results: CapturedText(failure: .readerIsGone), diagnostics: CapturedText())
        let printer = DemoPrinter(
            server: server, pager: pager, clock: DemoClock(server: server, speed: 1), output: output,
            palette: Palette(isOn: false))
        let transport = CurlTransport()
        let body = Array(#"{"text": "red"}"#.utf8)
        await withTaskGroup(of: Void.self) { group in
            // What comes before the printer listens is not printed.
            group.addTask {
                while !Task.isCancelled {
                    _ = try? await transport.send(
                        BotCore.HTTPRequest(.post, pager.url, body: body, isRepeatable: false))
                }
            }
            await #expect(throws: OutputError.readerIsGone) { try await printer.run() }
            group.cancelAll()
        }
        await transport.shutdown()
    }
}

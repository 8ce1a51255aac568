import BotCore
import DemoZimmer
import Testing

@testable import zimmer_bot

@Suite struct DemoPrinterTests {
    @Test(.timeLimit(.minutes(1)))
    func `the demo ends when nobody reads what it prints`() async throws {
        let server = try DemoServer(day: .friday, speed: 1)
        let pager = try RecordingWebhook()
        defer {
            server.stop()
            pager.stop()
        }
        let transport = CurlTransport()
        let body = Array(#"{"text": "red"}"#.utf8)
        _ = try await transport.send(BotCore.HTTPRequest(.post, pager.url, body: body, isRepeatable: false))
        await transport.shutdown()
        let output = Output(results: CapturedText(failure: .readerIsGone), diagnostics: CapturedText())
        let printer = DemoPrinter(
            server: server, pager: pager, clock: DemoClock(server: server, speed: 1), output: output,
            palette: Palette(isOn: false))
        await #expect(throws: OutputError.readerIsGone) { try await printer.run() }
    }
}

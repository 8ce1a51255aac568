import AdapterKit
import BotCore
import CEL
import DemoZimmer

/// Prints what reaches the simulated Zimmer and the pager. The console channel prints its own messages.
struct DemoPrinter: Service {
    let name = "printer"
    let server: DemoServer
    let pager: RecordingWebhook
    let clock: DemoClock
    let output: Output
    let palette: Palette

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await request in server.requests.stream() where request.method != "GET" {
                    let body = String(decoding: request.request.body, as: UTF8.self)
                    let status = request.status.map(String.init) ?? "no answer"
                    try print("→ zimmer", "\(request.method) \(request.path) \(body) → \(status)")
                }
            }
            group.addTask {
                for await message in pager.messages.stream() {
                    guard case .string(let text)? = message.json?["text"] else { continue }
                    try print("→ pager ", text)
                }
            }
            // The first that fails ends the other.
            for try await _ in group {}
        }
    }

    /// - Throws: where nobody reads any more, which ends the demo.
    private func print(_ heading: String, _ text: String) throws {
        // To the second and without the date's "T", as the console channel prints it.
        let time = clock.now().wholeSeconds.description.split(separator: "T").joined(separator: " ")
        try output.writeLine("\(palette.faint(time))  \(heading)  \(text.printableLine)")
    }
}

import CEL
import Synchronization

@testable import zimmer_bot

/// A sink that keeps what is written to it.
final class CapturedText: TextSink {
    let isTerminal: Bool
    private let failure: OutputError?
    private let written = Mutex("")

    init(isTerminal: Bool = false, failure: OutputError? = nil) {
        self.isTerminal = isTerminal
        self.failure = failure
    }

    var text: String { written.withLock { $0 } }

    func write(_ text: String) throws(OutputError) {
        if let failure { throw failure }
        written.withLock { $0 += text }
    }
}

/// What a call of the program in this process gave.
struct Call {
    let code: ExitCode
    let output: String
    let errors: String

    /// Runs the program with nothing in its environment, at noon of 9 October 2026 (UTC).
    init(
        _ arguments: [String], environment: [String: String] = [:], results: CapturedText = CapturedText(),
        diagnostics: CapturedText = CapturedText()
    ) async {
        let program = BotProgram(
            environment: environment, output: Output(results: results, diagnostics: diagnostics),
            now: { Timestamp(seconds: 1_791_547_200) })
        code = await program.run(arguments)
        output = results.text
        errors = diagnostics.text
    }

    init(
        _ arguments: String..., environment: [String: String] = [:], results: CapturedText = CapturedText()
    ) async {
        await self.init(arguments, environment: environment, results: results)
    }
}

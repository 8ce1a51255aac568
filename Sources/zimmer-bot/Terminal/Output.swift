/// Where a command writes: what was asked for to `results`, everything else (messages, logs, progress) to `diagnostics`.
struct Output: Sendable {
    let results: any TextSink
    let diagnostics: any TextSink
    /// Colour of the results, colour of the diagnostics.
    private(set) var resultPalette = Palette(isOn: false)
    private(set) var diagnosticPalette = Palette(isOn: false)

    init(results: any TextSink, diagnostics: any TextSink) {
        self.results = results
        self.diagnostics = diagnostics
    }

    /// The process's standard output and standard error.
    static var standard: Output {
        Output(results: FileDescriptorSink(1), diagnostics: FileDescriptorSink(2))
    }

    func colored(_ choice: ColorChoice, environment: [String: String]) -> Output {
        var output = self
        output.resultPalette = Palette(isOn: choice.isOn(onTerminal: results.isTerminal, environment: environment))
        output.diagnosticPalette = Palette(
            isOn: choice.isOn(onTerminal: diagnostics.isTerminal, environment: environment))
        return output
    }

    /// Everything to the diagnostics.
    var onDiagnostics: Output {
        var output = Output(results: diagnostics, diagnostics: diagnostics)
        (output.resultPalette, output.diagnosticPalette) = (diagnosticPalette, diagnosticPalette)
        return output
    }

    /// Writes a part of the result, with its own newlines.
    func write(_ text: String) throws(OutputError) {
        try results.write(text)
    }

    func writeLine(_ text: String) throws(OutputError) {
        try results.write(text + "\n")
    }

    /// Writes a message, with its own newlines. Where nobody can be told that nobody can be told, nothing happens.
    func report(_ text: String) {
        try? diagnostics.write(text)
    }
}

/// Takes text in pieces, each whole and in order, from any task.
protocol TextSink: Sendable {
    var isTerminal: Bool { get }
    func write(_ text: String) throws(OutputError)
}

enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other end of the pipe is closed.
    case readerIsGone
    case failed(String)

    var description: String {
        switch self {
        case .readerIsGone: "cannot write the result: nobody reads it"
        case .failed(let reason): "cannot write the result: \(reason)"
        }
    }
}

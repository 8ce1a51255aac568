/// One line of a terminal that shows how far something is; on anything else nothing is written.
struct ProgressBar {
    private let output: Output
    private let label: String
    private var shown = -1

    private static let width = 30

    init(_ label: String, on output: Output) {
        self.output = output
        self.label = label
    }

    /// - Parameter fraction: from 0 to 1. A step that would not be seen is not drawn.
    mutating func show(_ fraction: Double) {
        let percent = Int(max(0, min(1, fraction)) * 100)
        guard output.diagnostics.isTerminal, percent != shown else { return }
        shown = percent
        let filled = percent * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        output.report("\r\(label) [\(bar)] \(percent) %")
    }

    /// Clears the line.
    mutating func end() {
        guard shown >= 0 else { return }
        shown = -1
        output.report("\r\u{1B}[K")
    }
}

import AdapterKit

/// Writes the bot's log to standard error: a fixed sentence and its values, one line each.
struct TerminalLog: AdapterLog {
    let output: Output
    var least: AdapterLogLevel = .info

    func write(_ level: AdapterLogLevel, _ sentence: StaticString, _ values: [(name: String, value: String)]) {
        guard level.rank >= least.rank else { return }
        let pairs = values.map { " \($0.name)=\"\($0.value.printableLine)\"" }.joined()
        output.report("\(level.rawValue): \(sentence)\(pairs)\n")
    }
}

extension AdapterLogLevel {
    fileprivate var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

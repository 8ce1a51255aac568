/// Takes an adapter's log lines: a fixed sentence, so that lines can be counted, with values beside it.
public protocol AdapterLog: Sendable {
    /// - Parameter values: What differs from one line to the next. Never a secret, nor a URL beyond scheme and host.
    func write(_ level: AdapterLogLevel, _ sentence: StaticString, _ values: [(name: String, value: String)])
}

/// How much a log line matters.
public enum AdapterLogLevel: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning, error
}

extension AdapterLog {
    public func write(_ level: AdapterLogLevel, _ sentence: StaticString) {
        write(level, sentence, [])
    }
}

public import AdapterKit
import Synchronization

/// Keeps log lines.
public final class RecordingLog: AdapterLog {
    private let recorded = Mutex<[String]>([])

    public init() {}

    /// Each as `level: sentence name=value …`.
    public var lines: [String] {
        recorded.withLock { $0 }
    }

    public func write(_ level: AdapterLogLevel, _ sentence: StaticString, _ values: [(name: String, value: String)]) {
        let words = ["\(level): \(sentence)"] + values.map { "\($0.name)=\($0.value)" }
        recorded.withLock { $0.append(words.joined(separator: " ")) }
    }
}

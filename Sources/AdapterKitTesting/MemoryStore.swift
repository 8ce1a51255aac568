public import AdapterKit

/// Keeps an adapter's texts for as long as the test lasts.
public actor MemoryStore: AdapterStore {
    public private(set) var values: [String: String]

    public init(_ values: [String: String] = [:]) {
        self.values = values
    }

    public func value(_ name: String) -> String? {
        values[name]
    }

    public func set(_ name: String, to value: String?) {
        values[name] = value
    }
}

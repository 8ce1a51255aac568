import AdapterKit

/// What the bot lends to the adapters of all channels.
package struct ChannelServices: Sendable {
    var store: any AdapterStore
    var monitor: @Sendable (_ channel: String) -> any ConnectionMonitor

    /// For adapters that are made to be checked, or to send one message: nothing is kept.
    package init() {
        self.init(store: TransientStore()) { _ in SilentMonitor() }
    }

    init(store: any AdapterStore, monitor: @escaping @Sendable (String) -> any ConnectionMonitor) {
        self.store = store
        self.monitor = monitor
    }
}

private actor TransientStore: AdapterStore {
    private var values: [String: String] = [:]

    func value(_ name: String) -> String? { values[name] }
    func set(_ name: String, to value: String?) { values[name] = value }
}

private struct SilentMonitor: ConnectionMonitor {
    func report(_ state: ConnectionState) {}
}

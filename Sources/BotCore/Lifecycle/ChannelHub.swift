import AdapterKit
import Synchronization

/// Joins adapters to what comes after them: they are made before there is a store to keep their values or a worker that
/// wants to know how their connections do.
///
/// Adapters hold it, and workers hold adapters, so it holds neither workers nor ledger: a database that is never let go is
/// never closed.
package final class ChannelHub: Sendable {
    private struct State {
        weak var ledger: Ledger?
        /// For adapters without a store: those that send one message and are gone.
        var values: [String: String] = [:]
        var connections: [String: ConnectionState] = [:]
        var workers: [String: Worker] = [:]
    }

    private struct Worker {
        weak var worker: ChannelWorker?
    }

    private let state = Mutex(State())

    package init() {}

    /// From now on adapters keep their values in the ledger and report to these workers.
    func join(_ ledger: Ledger, _ workers: [ChannelWorker]) {
        let known = state.withLock { state in
            state.ledger = ledger
            state.workers = Dictionary(workers.map { ($0.channel, Worker(worker: $0)) }) { first, _ in first }
            return state.connections
        }
        for worker in workers {
            if let connection = known[worker.channel] { worker.report(connection) }
        }
    }

    func store(for kind: String) -> any AdapterStore { Store(hub: self, kind: kind) }
    func monitor(for channel: String) -> any ConnectionMonitor { Monitor(hub: self, channel: channel) }

    private struct Store: AdapterStore {
        let hub: ChannelHub
        let kind: String

        func value(_ name: String) async throws -> String? {
            let (ledger, value) = hub.state.withLock { ($0.ledger, $0.values["\(kind) \(name)"]) }
            return try await ledger?.adapterValue(name, of: kind) ?? value
        }

        func set(_ name: String, to value: String?) async throws {
            let ledger = hub.state.withLock { state in
                if state.ledger == nil { state.values["\(kind) \(name)"] = value }
                return state.ledger
            }
            try await ledger?.setAdapterValue(name, of: kind, to: value)
        }
    }

    private struct Monitor: ConnectionMonitor {
        let hub: ChannelHub
        let channel: String

        func report(_ connection: ConnectionState) {
            let worker = hub.state.withLock { state in
                state.connections[channel] = connection
                return state.workers[channel]?.worker
            }
            worker?.report(connection)
        }
    }
}

extension Ledger {
    fileprivate func adapterValue(_ name: String, of kind: String) throws -> String? {
        try database.first("SELECT value FROM adapter_values WHERE kind = ? AND name = ?", kind, name) { $0[0] }
    }

    fileprivate func setAdapterValue(_ name: String, of kind: String, to value: String?) throws {
        if let value {
            let sql = "INSERT OR REPLACE INTO adapter_values (kind, name, value) VALUES (?, ?, ?)"
            try database.run(sql, kind, name, value)
        } else {
            try database.run("DELETE FROM adapter_values WHERE kind = ? AND name = ?", kind, name)
        }
    }
}

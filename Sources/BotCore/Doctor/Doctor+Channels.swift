import AdapterKit
import CEL
import Rules
import Synchronization

extension Doctor {
    /// How long a connection may take.
    private static let patience: Duration = .seconds(20)

    /// Connects to every channel; nothing is said there.
    func channelFindings() async -> [Finding] {
        await withTaskGroup(of: (Int, Finding).self) { group in
            for (index, channel) in file.channels.enumerated() {
                group.addTask { (index, await finding(of: channel)) }
            }
            var findings: [(Int, Finding)] = []
            for await finding in group { findings.append(finding) }
            return findings.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func finding(of channel: ChannelSettings) async -> Finding {
        let area = "channel \(channel.name)"
        let first = FirstReport()
        let adapter: any Adapter
        do {
            // A registry of connections for each, as this one is let go when it was looked at.
            adapter = try factory.adapter(
                for: channel, secrets: secrets, environment: environment, monitor: first, isGuest: true)
        } catch {
            return Finding(area, .problem, "it cannot be used: \(error)")
        }
        if let endpoint = adapter.endpoint { return await connect(to: endpoint, area) }
        switch await report(of: adapter, first) {
        case .up?: return Finding(area, .ok, "connected and signed in")
        case .down(let reason)?:
            return Finding(area, .problem, "no connection: \(reason)", advice: "Messages to it wait until it is back")
        case nil where first.hasEnded: return Finding(area, .ok, "it needs no connection")
        case nil:
            return Finding(
                area, .problem, "no connection within \(Self.patience.humanized)",
                advice: "Look at the server's address, and at the network from this machine")
        }
    }

    private func connect(to endpoint: ByteStreamEndpoint, _ area: String) async -> Finding {
        let place = "\(endpoint.host):\(endpoint.port)"
        do {
            let stream = try await environment.byteStreams.connect(to: endpoint)
            await stream.close()
            return Finding(area, .ok, "\(place) can be reached\(endpoint.tls == nil ? "" : " over TLS")")
        } catch {
            return Finding(
                area, .problem, "\(place) cannot be reached: \(error)",
                advice: "Look at the address, and at the network from this machine")
        }
    }

    /// The adapter's first word for its connection; nil where it says none in time, or holds none.
    private func report(of adapter: any Adapter, _ first: FirstReport) async -> ConnectionState? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await adapter.run()
                first.end()
            }
            group.addTask { await first.settled() }
            group.addTask { try? await environment.clock.sleep(for: Self.patience) }
            _ = await group.next()
            group.cancelAll()
        }
        return first.state
    }
}

/// Waits for an adapter's connection.
private final class FirstReport: ConnectionMonitor {
    private let shared = Mutex<(state: ConnectionState?, hasEnded: Bool)>((nil, false))
    private let bell = Bell()

    func report(_ state: ConnectionState) {
        shared.withLock { $0.state = state }
        bell.ring()
    }

    func end() {
        shared.withLock { $0.hasEnded = true }
        bell.ring()
    }

    var state: ConnectionState? { shared.withLock { $0.state } }
    var hasEnded: Bool { shared.withLock { $0.hasEnded } }
    var isUnsettled: Bool { shared.withLock { $0.state == nil && !$0.hasEnded } }

    /// Returns when it is up, or ended, or its task is cancelled.
    func settled() async {
        while !Task.isCancelled, isUnsettled { await bell.wait() }
    }
}

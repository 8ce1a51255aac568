import Foundation
import IRCAdapter
import MatrixAdapter

/// How long a message takes from the decision, durably queued, to the other side.
struct ChannelBenchmark: Codable {
    /// What is measured, or why it was not.
    var name: String
    /// In seconds.
    var median: Double?
    var slowest: Double?

    private static let messages = 40

    static func all() async throws -> [ChannelBenchmark] {
        var results = [try await matrix()]
        guard let network = try IRCServer() else {
            return results + [ChannelBenchmark(name: "IRC: 'make test-services' installs the server that this needs")]
        }
        defer { network.stop() }
        results.append(try await irc(network))
        if let relay = try await RelayBenchmark(network)?.measure() { results.append(relay) }
        return results
    }

    /// To the line at another client of a real server, with no pace in between.
    private static func irc(_ network: IRCServer) async throws -> ChannelBenchmark {
        let rig = try MessageRig(
            IRCKind(),
            channel: "{adapter: irc, server: 127.0.0.1, port: \(network.port), tls: false, nick: zimmerbot, "
                + "channel: \"#bench\", rate: {burst: 1000, per: 1s}}",
            sessions: messages)
        let other = try await network.join("#bench")
        defer { other.close() }
        return try await measure("IRC: to the line at another client", rig) { session in
            try await other.arrival(of: "Session \(session) failed")
        }
    }

    /// To the first byte of the request: what the homeserver takes is left out.
    private static func matrix() async throws -> ChannelBenchmark {
        let homeserver = try FirstByteServer()
        defer { homeserver.stop() }
        let rig = try MessageRig(
            MatrixKind(),
            channel:
                "{adapter: matrix, homeserver: \"\(homeserver.url)\", access_token: {env: TOKEN}, room: \"!room\"}",
            sessions: messages)
        return try await measure("Matrix: to the first byte of the request", rig) { session in
            try await homeserver.arrival(of: "Session \(session) failed")
        }
    }

    private static func measure(
        _ name: String, _ rig: MessageRig, _ arrival: (Int) async throws -> ContinuousClock.Instant
    ) async throws -> ChannelBenchmark {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await rig.run() }
            defer { group.cancelAll() }
            var times: [Double] = []
            for session in 1...messages {
                rig.fail(session)
                let arrival = try await arrival(session)
                // The first waits for the connection.
                if session > 1 { times.append((arrival - (try rig.committed(session))) / .seconds(1)) }
            }
            return ChannelBenchmark(name: name, times)
        }
    }

    init(name: String, _ times: [Double] = []) {
        self.name = name
        median = times.isEmpty ? nil : times.sorted()[times.count / 2]
        slowest = times.max()
    }
}

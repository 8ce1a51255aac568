import Foundation

/// The same with alertmanager-irc-relay, which takes webhooks and keeps nothing: from the first byte of the request.
final class RelayBenchmark {
    private let process = Process()
    private let network: IRCServer
    private let port = Int.random(in: 50_000..<60_000)
    private let settings = NSTemporaryDirectory() + "/zimmer-bot-benchmark-relay-\(UUID().uuidString).yml"

    private static let messages = 12
    /// Faster than this it paces itself.
    private static let pause: Duration = .milliseconds(2_500)

    /// Nil where it is not installed.
    init?(_ network: IRCServer) throws {
        self.network = network
        let cache = ProcessInfo.processInfo.environment["CHAT_SERVICES_CACHE"] ?? ""
        let program = cache + "/peers/usr/bin/alertmanager-irc-relay"
        guard FileManager.default.fileExists(atPath: program) else { return nil }
        let text = """
            http_host: 127.0.0.1
            http_port: \(port)
            irc_host: 127.0.0.1
            irc_port: \(network.port)
            irc_use_ssl: no
            irc_nickname: relay
            irc_channels: [{name: "#relay"}]
            msg_template: "{{ .Annotations.summary }}"
            """
        try text.write(toFile: settings, atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: program)
        process.arguments = ["-config", settings]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(atPath: settings)
    }

    func measure() async throws -> ChannelBenchmark {
        let other = try await network.join("#relay")
        defer { other.close() }
        _ = try await other.arrival(of: ":relay!")
        var times: [Double] = []
        for number in 1...Self.messages {
            try await Task.sleep(for: Self.pause)
            let begin = ContinuousClock.now
            try post("alert \(number).")
            let arrival = try await other.arrival(of: "alert \(number).")
            times.append((arrival - begin) / .seconds(1))
        }
        return ChannelBenchmark(name: "alertmanager-irc-relay: request to line", times)
    }

    private func post(_ text: String) throws {
        let body =
            #"{"version": "4", "status": "firing", "alerts": [{"status": "firing", "labels": {}, "annotations": {"summary": "\#(text)"}}]}"#
        let tap = try SocketTap(port: port) { _ in nil }
        tap.write(
            "POST /relay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}

import Foundation

/// A real InspIRCd on loopback, without flood control; there only where `make test-services` has fetched it.
final class IRCServer {
    let port: Int
    private let folder: String
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../contrib/services/ircd.sh").standardizedFileURL.path

    /// Nil where it is not installed.
    init?() throws {
        guard
            let cache = ProcessInfo.processInfo.environment["CHAT_SERVICES_CACHE"],
            FileManager.default.fileExists(atPath: cache + "/ircd/ok")
        else { return nil }
        folder = NSTemporaryDirectory() + "/zimmer-bot-benchmark-irc-\(UUID().uuidString)"
        port = Int.random(in: 3_000..<5_000) * 10
        try run("start", String(port))
    }

    func stop() {
        try? run("stop")
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Another client, in a channel.
    func join(_ channel: String) async throws -> SocketTap {
        let client = try SocketTap(port: port) { line in
            if line.hasPrefix("PING") { return line.replacingOccurrences(of: "PING", with: "PONG") + "\n" }
            return line.contains(" 001 ") ? "JOIN \(channel)\r\n" : nil
        }
        client.write("NICK reader\r\nUSER reader 0 * :reader\r\n")
        _ = try await client.arrival(of: " 366 ")
        return client
    }

    private func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [Self.script, arguments[0], folder] + arguments.dropFirst()
        process.environment = ProcessInfo.processInfo.environment.merging(["IRCD_FLOOD": "off"]) { _, new in new }
        process.standardOutput = Pipe()
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkFailure("the IRC server did not \(arguments[0])") }
    }
}

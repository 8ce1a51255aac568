import Foundation
import Glibc

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

    /// `Process` would wait for the server too, which holds on to what it inherits.
    private func run(_ arguments: String...) throws {
        let command =
            "IRCD_FLOOD=off bash '\(Self.script)' \(arguments[0]) '\(folder)' \(arguments.dropFirst().joined())"
        guard let output = popen(command + " 2>&1", "r") else { throw BenchmarkFailure("no shell was started") }
        var buffer = [CChar](repeating: 0, count: 1_024)
        while fgets(&buffer, Int32(buffer.count), output) != nil {}
        guard pclose(output) == 0 else { throw BenchmarkFailure("the IRC server did not \(arguments[0])") }
    }
}

import BotTestSupport
import Foundation

/// Runs the scripts under contrib/services, which start real servers on loopback.
enum ServiceScripts {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a script to its end and gives the `KEY=VALUE` lines that it printed.
    @discardableResult
    static func run(
        _ script: String, _ arguments: [String], settings: [String: String] = [:]
    ) async throws -> [String: String] {
        let environment = ProcessInfo.processInfo.environment.merging(settings) { _, new in new }
        guard environment["CHAT_SERVICES_CACHE"] != nil else {
            throw Failure(description: "these tests are run by `make test-services`")
        }
        let child = try ChildProcess(arguments, program: folder + script, environment: environment)
        let result = await child.result()
        guard result.status == .exited(0) else {
            throw Failure(description: "\(script) \(arguments): \(result.status)\n\(result.standardError)")
        }
        let pairs = result.standardOutput.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        return Dictionary(pairs) { _, last in last }
    }

    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../contrib/services/"
        ).standardizedFileURL.path + "/"

    /// Starts a server on a port that is free, with a few behind it.
    static func start(
        _ script: String, in folder: String, settings: [String: String]
    ) async throws -> (port: Int, values: [String: String]) {
        for _ in 1...5 {
            let port = Int.random(in: 1_100..<3_000) * 10
            do {
                return (port, try await run(script, ["start", folder, String(port)], settings: settings))
            } catch let failure as Failure where failure.description.contains("is in use") {
                continue
            }
        }
        throw Failure(description: "\(script): no free port was found")
    }
}

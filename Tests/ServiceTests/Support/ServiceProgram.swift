import BotTestSupport
import Foundation

/// Programs that `contrib/services/install.sh` put into its cache.
enum ServiceProgram {
    /// The Python with the packages of `clients`.
    static func python(_ script: String, _ arguments: [String] = [], input: String = "") throws -> ChildProcess {
        try ChildProcess(["-u", "-c", script] + arguments, program: try path("clients/bin/python"), input: input)
    }

    /// A program of `peers`.
    static func peer(_ name: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(arguments, program: try path("peers/usr/bin/\(name)"))
    }

    static func path(_ name: String) throws -> String {
        guard let cache = ProcessInfo.processInfo.environment["CHAT_SERVICES_CACHE"] else {
            throw ServiceScripts.Failure(description: "these tests are run by `make test-services`")
        }
        return "\(cache)/\(name)"
    }

    /// Most likely nobody's.
    static var port: Int { Int.random(in: 11_000..<30_000) }
}

extension AsyncStream<String> {
    /// The next line that holds these words; nil where the stream ends before it.
    func line(with words: String...) async -> String? {
        for await line in self where words.allSatisfy(line.contains) { return line }
        return nil
    }
}

import DemoZimmer
import Foundation

/// The bot in a process of its own, so that its memory is no one else's.
///
/// It polls whenever it reads a line from standard input, and answers with a measurement on a line of JSON.
enum BotProcess {
    /// The first argument of this program when it is to be that process.
    static let word = "bot"

    /// The child's side: `bot URL KEY staged|network`.
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3 else { throw BenchmarkFailure("\(word) needs an address, a key and a mode") }
        let pipeline = try Pipeline(url: arguments[0], key: arguments[1], isStaged: arguments[2] == "staged")
        try await pipeline.readOthers()
        while let line = readLine(), let sessions = Int(line) {
            let measurement = try await pipeline.poll(sessions: sessions)
            try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(measurement) + Data("\n".utf8))
        }
    }
}

/// The parent's side of a `BotProcess`.
final class MeasuredBot {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let server: DemoServer
    private var unread = Data()

    /// - Parameter isStaged: pages are fetched before a poll is measured.
    init(_ server: DemoServer, isStaged: Bool) throws {
        self.server = server
        // The last processor, and no other, whatever the number of threads.
        let processor = ProcessInfo.processInfo.processorCount - 1
        process.executableURL = URL(filePath: "/usr/bin/taskset")
        process.arguments =
            ["-c", String(processor), URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path]
            + [BotProcess.word, server.url, server.apiKey, isStaged ? "staged" : "network"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func poll() throws -> PollMeasurement {
        try input.fileHandleForWriting.write(contentsOf: Data("\(server.state.sessions.count)\n".utf8))
        let end = UInt8(ascii: "\n")
        while !unread.contains(end) {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { throw BenchmarkFailure("the measured process ended before it answered") }
            unread += bytes
        }
        let line = unread.prefix { $0 != end }
        unread = Data(unread.dropFirst(line.count + 1))
        return try JSONDecoder().decode(PollMeasurement.self, from: line)
    }

    func stop() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

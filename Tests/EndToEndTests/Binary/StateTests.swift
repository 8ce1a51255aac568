import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// A state directory that cannot be used is said, and never begun anew: that would send everything again.
@Suite(.timeLimit(.minutes(10)))
struct StateTests {
    private static let failedSession = """
        - name: failed-session
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: "{{ session.title }} failed"}]
        """

    private struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var says: String
        var change: @Sendable (inout Data) -> Void
    }

    private static let damages = [
        Damage(testDescription: "not a database", says: "is not a database") { data in
            data.replaceSubrange(0..<100, with: [UInt8](repeating: 0x5A, count: 100))
        },
        Damage(testDescription: "damaged pages", says: "is damaged") { data in
            data.replaceSubrange(100..<data.count, with: [UInt8](repeating: 0x5A, count: data.count - 100))
        },
        Damage(testDescription: "cut short", says: "is damaged") { data in
            data.removeSubrange(5_000..<data.count)
        },
        // `PRAGMA user_version` is the big-endian number at byte 60 of the file.
        Damage(testDescription: "of a newer version", says: "was written by a newer zimmer-bot") { data in
            data.replaceSubrange(60..<64, with: [0, 0, 0x7F, 0xFF])
        },
        Damage(testDescription: "another program's", says: "belongs to another program") { data in
            data.replaceSubrange(68..<72, with: [1, 2, 3, 4])
        },
    ]

    @Test(arguments: damages)
    private func `a store that cannot be understood ends the bot and stays as it is`(damage: Damage) async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.addSession("Fix login", .failed)
        let first = await (try stage.start("--once")).result()
        #expect(first.status == .exited(0))
        var data = try Data(contentsOf: URL(filePath: stage.databasePath))
        damage.change(&data)
        try data.write(to: URL(filePath: stage.databasePath))

        let second = await (try stage.start()).result()
        #expect(second.status == .exited(1))
        #expect(second.standardError.contains("\(stage.databasePath) \(damage.says)"), "\(second)")
        let status = try await stage.command("status")
        #expect(status.status == .exited(1) && status.standardError.contains(damage.says), "\(status)")
        #expect(try Data(contentsOf: URL(filePath: stage.databasePath)) == data)
        #expect(stage.webhook.messages.count == 1)
    }

    @Test func `a store that vanished under its log is not begun anew`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let first = try stage.start()
        try await stage.polls(1)
        await first.kill()
        try Data().write(to: URL(filePath: stage.databasePath))
        let second = await (try stage.start()).result()
        #expect(second.status == .exited(1))
        #expect(second.standardError.contains("the log beside it is not"), "\(second)")
    }

    @Test func `a disk that takes no more stops everything and is said, and loses nothing`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let first = await (try stage.start("--once")).result()
        #expect(first.status == .exited(0))
        // Room for the first few polls.
        let full = try startOnFullDisk(stage, blocks: 80)
        try #require(await full.logged("a decision could not be stored; nothing was done") != nil)
        stage.addSession("Fix login", .failed)
        try await stage.polls(2)
        #expect(stage.webhook.messages.count == 0)
        #expect(await full.stop() == .exited(0))

        let second = try stage.start()
        try await stage.webhook.accepted(1)
        try await stage.polls()
        #expect(await second.stop() == .exited(0))
        #expect(stage.webhook.messages.count == 1)
    }

    @Test func `one round on a disk that takes no more ends, and is no success`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        #expect(await (try stage.start("--once")).result().status == .exited(0))
        stage.addSession("Fix login", .failed)
        let full = await (try startOnFullDisk(stage, blocks: 66, "--once")).result()
        #expect(full.status == .exited(1))
        #expect(full.standardError.contains("zimmer-bot: a decision was not stored: "), "\(full)")
        #expect(stage.webhook.messages.count == 0)
    }

    /// The daemon where no file may grow beyond so many blocks of 512 bytes.
    private func startOnFullDisk(_ stage: ProgramStage, blocks: Int, _ options: String...) throws -> ChildProcess {
        let script = "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""
        let arguments = ["run", "-c", stage.rulesPath, "--state", stage.statePath] + options
        return try ChildProcess(
            ["-c", script, ChildProcess.zimmerBot] + arguments, program: "/bin/sh", environment: stage.environment,
            companion: stage)
    }

    @Test func `a bot whose state is taken away ends and says so`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let daemon = try stage.start()
        try await stage.polls(1)
        try FileManager.default.removeItem(atPath: stage.statePath)
        let result = await daemon.result()
        #expect(result.status == .exited(1))
        #expect(result.standardError.contains("\(stage.statePath) was removed or replaced"), "\(result)")
    }

    @Test func `commands that look say where nothing is yet`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        for command in ["status", "log"] {
            let result = try await stage.command(command)
            #expect(result.status == .exited(1))
            #expect(result.standardError.contains("there is no state at \(stage.databasePath) yet"), "\(result)")
        }
    }
}

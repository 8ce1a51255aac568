import BotTestSupport
import Foundation
import Testing

@testable import zimmer_bot

@Suite struct LogCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: ["1d", "1d12h", "2h", "1w", "2026-10-09T12:00:00Z"])
    func `since takes a time, or a duration as rules write it`(since: String) async {
        let call = await Call("log", "--since", since, "--state", directory.path)
        #expect(call.code == .failure)
        #expect(call.errors.contains("there is no state at"))
    }

    @Test(arguments: [["log"], ["status"], ["release", "a"]])
    func `a command that looks makes no state directory`(command: [String]) async {
        let missing = directory.path + "/elsewhere"
        let call = await Call(command + ["--state", missing])
        #expect(call.code == .failure)
        #expect(call.errors.contains("there is no state at \(missing)"))
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test(arguments: ["seven", "fix-login-1234", "0", ""])
    func `a session is asked for by its number`(session: String) async {
        let call = await Call("log", "--session", session, "--state", directory.path)
        #expect(call.code == .usage)
        #expect(call.errors.contains("--session"))
    }

    @Test(arguments: ["soon", "2", "-3h", ""])
    func `anything else is a mistake of the command line`(since: String) async {
        let call = await Call("log", "--since", since, "--state", directory.path)
        #expect(call.code == .usage)
        #expect(call.errors.contains("--since"))
    }
}

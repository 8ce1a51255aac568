import BotTestSupport
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

    @Test(arguments: ["soon", "2", "-3h", ""])
    func `anything else is a mistake of the command line`(since: String) async {
        let call = await Call("log", "--since", since, "--state", directory.path)
        #expect(call.code == .usage)
        #expect(call.errors.contains("--since"))
    }
}

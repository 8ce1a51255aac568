import BotTestSupport
import Testing

@testable import zimmer_bot

@Suite struct SendCommandTests {
    private let path: String
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write("channels: {ops: {adapter: console}}", to: "rules.yaml")
    }

    @Test func `a message to the console is printed`() async {
        let call = await Call("send", "-c", path, "ops", "hello")
        #expect(call.code == .success)
        #expect(call.output.contains("hello"))
    }

    @Test func `with --json it is not printed into the result`() async {
        let call = await Call("send", "-c", path, "ops", "hello", "--json")
        #expect(call.output == "{\"delivered\":true}\n")
        #expect(call.errors.contains("hello"))
    }
}

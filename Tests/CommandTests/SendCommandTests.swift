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

    @Test func `what would be sent is printed, and not sent`() async throws {
        let hooks = try directory.write(
            "channels: {hooks: {adapter: webhook, url: {env: HOOK}}}", to: "hooks.yaml")
        let call = await Call(
            "send", "-c", hooks, "--render", "hooks", "**hello**", environment: ["HOOK": "http://127.0.0.1:1/x"])
        #expect(call.code == .success)
        #expect(call.output.hasPrefix("{\"id\":\"dlv_test"))
        #expect(call.output.hasSuffix("\"text\":\"hello\",\"markdown\":\"**hello**\"}"))
    }

    @Test func `what the adapter refuses is said with the channel's name`() async throws {
        let chat = try directory.write(
            "channels: {chat: {adapter: irc, server: irc.example.com, nick: bot, channel: ops}}", to: "chat.yaml")
        let call = await Call("send", "-c", chat, "chat", "hello")
        #expect(call.code == .configuration)
        #expect(call.errors.contains("channel 'chat': 'channel' needs the name of a channel"))
    }

    @Test func `a service that is asked too often is not asked again`() async throws {
        let server = try ScriptedServer(ScriptedServer.always(.send(ScriptedServer.response(429, body: "slow down"))))
        defer { server.stop() }
        let hooks = try directory.write(
            "channels: {hooks: {adapter: webhook, url: {env: HOOK}}}", to: "hooks.yaml")
        let call = await Call(
            "send", "-c", hooks, "hooks", "hello", environment: ["HOOK": "http://127.0.0.1:\(server.port)/x"])
        #expect(call.code == .failure)
        #expect(call.errors.contains("answered 429: slow down"))
        #expect(server.requests.count == 1)
    }
}

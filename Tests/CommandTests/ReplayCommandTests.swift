import BotTestSupport
import Foundation
import Testing

@testable import zimmer_bot

@Suite struct ReplayCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("channels: {ops: {adapter: console}}\nrules: []\n", to: "rules.yaml")
        try directory.write("rules: [{name: a}]\n", to: "broken.yaml")
    }

    private func replay(_ arguments: String..., file: String = "rules.yaml") async -> Call {
        await Call(["replay", "-c", directory.path(file), "--state", directory.path("state")] + arguments)
    }

    @Test func `without a state there is nothing to replay, and none is made`() async {
        let call = await replay()
        #expect(call.code == .failure)
        #expect(call.errors.contains("there is no state at"))
        #expect(!FileManager.default.fileExists(atPath: directory.path("state")))
    }

    @Test func `a file with errors is a wrong configuration`() async {
        #expect(await replay(file: "broken.yaml").code == .configuration)
    }

    @Test(arguments: [["--since", "soon"], ["--until", "yesterday"], ["--since", "1d", "--until", "2d"]])
    func `times that make no span are a mistake of the command line`(arguments: [String]) async {
        let call = await Call(["replay", "-c", directory.path("rules.yaml")] + arguments)
        #expect(call.code == .usage)
        #expect(call.errors.contains("--"))
    }
}

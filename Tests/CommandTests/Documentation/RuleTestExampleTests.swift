import BotTestSupport
import Foundation
import Testing

@testable import zimmer_bot

/// Runs every test that docs/testing-rules.md shows, on the example rules.
@Suite struct RuleTestExampleTests {
    private static let blocks = (try? DocumentationPage("docs/testing-rules.md"))?.blocks ?? []
    private static let examples = blocks.filter { $0.kind == "yaml test" }
    /// A test that fails, and the block that follows it: what is said then.
    private static let failures = zip(blocks, blocks.dropFirst()).filter { $0.0.kind == "yaml test failed" }

    private static let head = "rules: rules.example.yaml\nstart: 2026-10-09T12:00:00Z\ntests:\n"

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let rules = try String(contentsOf: root.appending(path: "rules.example.yaml"), encoding: .utf8)
        _ = try directory.write(rules, to: "rules.example.yaml")
    }

    private func run(_ example: String) async throws -> Call {
        let text = example.hasPrefix("rules:") ? example : Self.head + example
        return await Call("test", try directory.write(text, to: "example.test.yaml"))
    }

    @Test func `the page has examples`() {
        #expect(Self.examples.count > 3)
        #expect(!Self.failures.isEmpty)
    }

    @Test(arguments: examples)
    func `every example passes`(block: DocumentationPage.Block) async throws {
        let call = try await run(block.text)
        #expect(call.code == .success, "\(call.output)\(call.errors)")
    }

    @Test(arguments: failures.indices)
    func `an example that fails says what the page shows`(index: Int) async throws {
        let (block, answer) = Self.failures[index]
        let call = try await run(block.text)
        #expect(call.code == .findings)
        #expect(call.output.replacing(directory.path + "/", with: "") == answer.text)
    }
}

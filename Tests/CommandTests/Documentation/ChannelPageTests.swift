import BotCore
import Rules
import Testing

@testable import zimmer_bot

/// Compares docs/channels.md with the schemas of the adapters.
@Suite struct ChannelPageTests {
    private static let schemas = Configuration.factory(
        Output(results: CapturedText(), diagnostics: CapturedText())
    ).schemas

    @Test(arguments: schemas.map(\.kind))
    func `the page lists every key of a kind`(kind: String) throws {
        let page = try DocumentationPage("docs/channels.md")
        let schema = try #require(Self.schemas.first { $0.kind == kind })
        let rows = page.section("## `\(kind)`").prefix { !$0.hasPrefix("###") && !$0.contains("```json") }
        let names = rows.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }
        let listed = names.map(String.init)
        #expect(Array(listed.prefix(schema.keys.count)) == schema.keys.map(\.name))
    }
}

import CEL
import Testing

@testable import Rules

/// Compares the tables of docs/rules.md with the words that the loader takes.
@Suite struct RulePageTests {
    private let page: DocumentationPage

    init() throws {
        page = try DocumentationPage("docs/rules.md")
    }

    /// The words that the first cells of the tables of a section begin with.
    private func words(below heading: String) -> Set<String> {
        Set(
            page.firstCells(below: heading).joined().map { cell in
                String(cell.prefix { $0.isLetter || $0 == "_" })
            })
    }

    @Test func `every key of the file has a row`() {
        #expect(words(below: "## The whole file").isSuperset(of: Language.file.known))
    }

    @Test func `every key of 'zimmer' has a row, and no other`() {
        #expect(words(below: "### `zimmer`") == Set(Language.zimmer.known))
    }

    @Test func `every key of a rule has a row`() {
        let triggers: Set<String> = ["watch", "schedule", "command"]
        #expect(words(below: "## A rule").isSuperset(of: Set(Language.rule.known).subtracting(triggers)))
        for trigger in triggers { #expect(page.section("## A rule").contains { $0.hasPrefix("- `\(trigger): ") }) }
    }

    @Test func `every step, every key beside one and every key of a post has a row, and nothing else has`() {
        let known = Language.steps.known + Language.stepKeys + Language.post.known
        // A second form of a step, in braces, begins with no word.
        #expect(words(below: "## Steps").symmetricDifference(known) == [""])
    }

    @Test func `every limit has a row`() {
        #expect(words(below: "## Limits").isSuperset(of: Language.limit.known))
    }

    @Test func `what an episode knows is what its table says`() {
        let cells = Set(page.firstCells(below: "## Episodes").joined())
        #expect(cells == Set(EpisodeFacts.type.fields.map(\.name) + ["episode"]))
    }
}

import BotCore
import Rules
import Testing

@testable import zimmer_bot

/// Plays the tests of every recipe in docs/cookbook.md, and asks of each whether it would notice a rule that is broken.
/// That the rules load without a warning is for `RuleExampleTests` to say, as of those on every page.
@Suite struct CookbookTests {
    /// What stands below a heading of the third rank.
    struct Recipe: Sendable, CustomTestStringConvertible {
        var heading: String
        var rules: [DocumentationPage.Block] = []
        var tests: [DocumentationPage.Block] = []

        var testDescription: String { heading }

        /// Nil where it does not load.
        var file: RuleFile? {
            rules.first.flatMap { RuleExampleTests.load(CompletedExample($0.text).text).file }
        }

        /// Its tests, of these rules.
        func scenario(of file: RuleFile) -> (file: ScenarioFile?, diagnostics: [RuleDiagnostic]) {
            let head = "rules: rules.yaml\nstart: 2026-10-09T12:00:00Z\ntests:\n"
            let text = head + tests.map(\.text).joined()
            return ScenarioFile.load(text.utf8, file: heading, words: .zimmer) { _ in file }
        }
    }

    private static let page = try? DocumentationPage("docs/cookbook.md")
    private static let recipes: [Recipe] = {
        guard let page else { return [] }
        let headings = page.lines.enumerated().filter { $0.element.hasPrefix("### ") }
        return zip(headings, headings.dropFirst().map(\.offset) + [page.lines.count]).map { heading, end in
            let blocks = page.blocks.filter { heading.offset + 1 < $0.line && $0.line <= end }
            return Recipe(
                heading: String(heading.element.dropFirst(4)), rules: blocks.filter { $0.kind == "yaml" },
                tests: blocks.filter { $0.kind == "yaml test" })
        }
    }()

    private func failures(of recipe: Recipe, with file: RuleFile) throws -> [ScenarioRun.Result] {
        let (scenario, diagnostics) = recipe.scenario(of: file)
        #expect(diagnostics.map { $0.text(Palette(isOn: false)) } == [])
        return try #require(scenario).tests.map { ScenarioRun.run($0, rules: file) }.filter { !$0.hasPassed }
    }

    @Test func `the page has recipes, and rules of one name only`() {
        #expect(Self.recipes.count >= 30)
        let names = Self.recipes.flatMap { $0.file?.rules.map(\.name) ?? [] }
        #expect(names.count >= Self.recipes.count)
        #expect(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.isEmpty)
    }

    @Test(arguments: recipes)
    func `every recipe is in the table at the top, has rules and a test of them`(recipe: Recipe) throws {
        let top = try #require(Self.page).lines.prefix { !$0.hasPrefix("## ") }
        #expect(top.contains { $0.contains("| [\(recipe.heading)](#") })
        #expect(recipe.rules.count == 1)
        #expect(recipe.tests.count == 1)
    }

    @Test(arguments: recipes)
    func `every recipe does what its test says`(recipe: Recipe) throws {
        let failed = try failures(of: recipe, with: try #require(recipe.file))
        #expect(failed.map { $0.text(Palette(isOn: false)) } == [])
    }

    @Test(arguments: recipes)
    func `a test fails when a rule of its recipe never does anything`(recipe: Recipe) throws {
        let file = try #require(recipe.file)
        for index in file.rules.indices {
            var broken = file
            broken.rules[index].mode = .off
            #expect(try !failures(of: recipe, with: broken).isEmpty, "\(file.rules[index].name)")
        }
    }

    @Test(arguments: recipes)
    func `a test fails when the condition of a rule of its recipe always holds`(recipe: Recipe) throws {
        let file = try #require(recipe.file)
        for index in file.rules.indices where file.rules[index].condition != nil {
            var broken = file
            broken.rules[index].condition = nil
            #expect(try !failures(of: recipe, with: broken).isEmpty, "\(file.rules[index].name)")
        }
    }
}

import BotCore
import CEL
import Rules
import Testing

@testable import zimmer_bot

/// Loads every rule that the documentation shows, as `check` would.
@Suite struct RuleExampleTests {
    private static let blocks = DocumentationPage.all.flatMap(\.blocks)
    private static let examples = blocks.filter { $0.kind == "yaml" }
    /// A file with mistakes, and the block that follows it: what is said of it.
    private static let mistakes = zip(blocks, blocks.dropFirst()).filter { $0.0.kind == "yaml error" }

    /// What examples include: whatever they name, it is what the page shows as an included file.
    private struct IncludedExample: RuleFileReader {
        func paths(matching pattern: FilePattern) -> [String] { pattern.isPlain ? [] : ["rules.d/example.yaml"] }

        func bytes(of path: String) -> [UInt8] {
            Array(RuleExampleTests.blocks.first { $0.kind == "yaml included" }?.text.utf8 ?? "".utf8)
        }
    }

    /// A file that loads with warnings, and what is said of it.
    private static let warnings = zip(blocks, blocks.dropFirst()).filter { $0.0.kind == "yaml warning" }

    static func load(_ text: String) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer,
            channels: Configuration.factory(Output(results: CapturedText(), diagnostics: CapturedText())).schemas,
            now: Timestamp(seconds: 1_791_547_200), including: IncludedExample())
    }

    @Test func `the pages have examples`() {
        #expect(Self.examples.count > 10)
        #expect(!Self.mistakes.isEmpty)
        #expect(!Self.warnings.isEmpty)
    }

    @Test(arguments: examples)
    func `every example loads without a word`(block: DocumentationPage.Block) {
        let text = CompletedExample(block.text).text
        let (file, diagnostics) = Self.load(text)
        #expect(file?.rules.isEmpty == false, "\(text)")
        #expect(diagnostics.map { $0.text(Palette(isOn: false)) } == [], "\(text)")
    }

    @Test(arguments: mistakes.indices)
    func `every mistake that is shown is found, in these words`(index: Int) {
        let (block, answer) = Self.mistakes[index]
        let (file, diagnostics) = Self.load(block.text)
        #expect(file == nil)
        #expect(diagnostics.map { $0.text(Palette(isOn: false)) }.joined() == answer.text, "\(block.testDescription)")
    }
}

extension RuleExampleTests {
    @Test(arguments: warnings.indices)
    func `every warning that is shown is given, in these words`(index: Int) {
        let (block, answer) = Self.warnings[index]
        let (file, diagnostics) = Self.load(CompletedExample(block.text, settingsLast: true).text)
        #expect(file != nil)
        #expect(diagnostics.map { $0.text(Palette(isOn: false)) }.joined() == answer.text, "\(block.testDescription)")
    }
}

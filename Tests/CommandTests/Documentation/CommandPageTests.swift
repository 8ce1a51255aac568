import Testing

@testable import zimmer_bot

/// Compares docs/cli.md with what the program says of itself.
@Suite struct CommandPageTests {
    private let page: DocumentationPage

    init() throws {
        page = try DocumentationPage("docs/cli.md")
    }

    @Test func `every command is listed with its usage and its summary`() {
        let rows = page.section("## Commands").filter { $0.hasPrefix("| `") && !$0.contains("`--") }
        let listed = CommandRegistry.commands.map { command in
            "| `\(command.specification.usage)` | \(command.specification.summary) |"
        }
        #expect(Array(rows.prefix(listed.count)) == listed)
    }

    @Test func `every exit code is listed with its meaning`() {
        for code in ExitCode.allCases {
            #expect(page.lines.map { $0.filter { $0 != "`" } }.contains("| \(code.rawValue) | \(code.meaning) |"))
        }
    }

    @Test func `every option has its place`() {
        let text = page.lines.joined(separator: "\n")
        for command in CommandRegistry.commands {
            for option in command.specification.options where option.name != "config" {
                #expect(
                    text.contains("--\(option.name)") || text.contains("-\(option.name.prefix(1))]"), "\(option.name)")
            }
        }
    }
}

import Foundation
import Testing

/// Follows the links between the pages.
@Suite struct LinkTests {
    /// A link to a file of the project, perhaps to a heading in it.
    struct Link: Sendable, CustomTestStringConvertible {
        var page: String
        var target: String

        var testDescription: String { "\(page) → \(target)" }
    }

    private static let links = DocumentationPage.all.flatMap { page in
        page.lines.flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).map { Link(page: page.name, target: String($0.output.1)) }
        }
    }.filter { !$0.target.contains("://") && !$0.target.contains("{{") }

    @Test(arguments: links)
    func `every link leads somewhere`(link: Link) throws {
        let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = link.page.split(separator: "/").dropLast().joined(separator: "/")
        let name = parts[0].isEmpty ? link.page : (folder.isEmpty ? "" : folder + "/") + parts[0]
        let page = try DocumentationPage(name)
        guard parts.count == 2 else { return }
        let anchors = page.lines.filter { $0.hasPrefix("#") }.map { Self.anchor($0) }
        #expect(anchors.contains(String(parts[1])))
    }

    /// As GitHub makes one of a heading.
    private static func anchor(_ heading: String) -> String {
        let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .replacing(" ", with: "-")
    }
}

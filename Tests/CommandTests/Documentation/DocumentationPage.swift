import Foundation
import Testing

/// A page of the documentation, as far as tests read it: its fenced blocks and its tables.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    /// What stands between two lines of backticks.
    struct Block: Sendable, CustomTestStringConvertible {
        var page: String
        /// Of its first line.
        var line: Int
        /// What follows the backticks: `yaml`, `yaml error`.
        var kind: String
        var text: String

        var testDescription: String { "\(page):\(line)" }
    }

    /// The path from the root of the project.
    let name: String
    let lines: [String]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    /// README.md, CONTRIBUTING.md and everything in docs.
    static let all: [DocumentationPage] = {
        let found = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)
        let names = (found ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return (["README.md", "CONTRIBUTING.md"] + names).compactMap { try? DocumentationPage($0) }
    }()

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var testDescription: String { name }

    var blocks: [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(page: name, line: index + 2, kind: String(line.dropFirst(3)), text: "") : nil
            } else {
                open?.text += line + "\n"
            }
        }
        return blocks
    }

    /// The words in backticks in the first cells of the tables below a heading.
    func firstCells(below heading: String) -> [[String]] {
        section(heading).filter { $0.hasPrefix("| `") }.map { row in
            let cell = row.dropFirst(2).split(separator: " | ", maxSplits: 1).first ?? ""
            return cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    /// The lines from a heading to the next of its rank.
    func section(_ heading: String) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: heading) else { return [] }
        let rank = heading.prefix { $0 == "#" }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { $0.hasPrefix("#") && $0.prefix { $0 == "#" }.count <= rank.count } ?? rest.endIndex
        return rest[..<end]
    }
}

import Foundation
import Testing

@testable import CEL

/// The conformance suite of the language as JSON, in the folder that `CEL_CONFORMANCE` names.
@Suite(.enabled(if: ConformanceFile.folder != nil, "CEL_CONFORMANCE is not set"))
struct ParserConformanceTests {
    /// All but `cel.block`, which optimizers write and people do not.
    @Test(arguments: try ConformanceFile.all())
    func `every expression parses and prints`(file: ConformanceFile) {
        for test in file.tests where !test.requires.contains("ext:block") {
            do throws(CompilationFailure) {
                let parsed = try Parser.parse(test.expr)
                let printed = try Parser.parse(parsed.text)
                #expect(printed.dump == parsed.dump, "\(test.expr) became \(parsed.text)")
            } catch {
                Issue.record("\(test.section)/\(test.test): \(test.expr): \(error)")
            }
        }
    }
}

struct ConformanceFile: Sendable, CustomTestStringConvertible {
    struct Test: Decodable, Sendable {
        var section: String
        var test: String
        var expr: String
        var requires: [String]
    }

    var name: String
    var tests: [Test]
    var testDescription: String { name }

    static let folder = ProcessInfo.processInfo.environment["CEL_CONFORMANCE"]

    static func all() throws -> [ConformanceFile] {
        guard let folder else { return [] }
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: folder), includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "json" }.map { file in
            ConformanceFile(
                name: file.lastPathComponent,
                tests: try JSONDecoder().decode([Test].self, from: Data(contentsOf: file)))
        }
    }
}

import BotCore
import Testing

/// Compares docs/zimmer.md with the calls that the client can make.
@Suite struct ZimmerPageTests {
    private let page: DocumentationPage

    init() throws {
        page = try DocumentationPage("docs/zimmer.md")
    }

    /// What stands first in the tables below a heading.
    private func calls(below heading: String) -> [String] {
        page.firstCells(below: heading).compactMap(\.first)
    }

    @Test func `every call that reads has a row, and no other`() {
        let reads = ZimmerCall.reads.union(ZimmerCall.diagnoses)
        #expect(calls(below: "## Calls that read").sorted() == reads.map(\.rawValue).sorted())
    }

    @Test func `every call that writes has a row, and no other`() {
        let writes = Set(ZimmerCall.allCases).subtracting(ZimmerCall.reads).subtracting(ZimmerCall.diagnoses)
        #expect(calls(below: "## Calls that write").sorted() == writes.map(\.rawValue).sorted())
    }
}

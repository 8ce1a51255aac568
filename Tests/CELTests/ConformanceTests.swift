import CEL
import Testing

/// Runs the language's conformance suite, in the folder that `CEL_CONFORMANCE` names.
@Suite(.enabled(if: ConformanceSuite.folder != nil, "set CEL_CONFORMANCE to the folder of the conformance suite"))
struct ConformanceTests {
    private static let suite = Result { try ConformanceSuite.files() }

    /// Those that need no protobuf.
    private static let rows = ((try? suite.get()) ?? []).flatMap(\.rows).filter { !$0.isProtobuf }

    @Test(arguments: rows)
    func `an expression means what the suite says`(row: ConformanceRow) {
        if let failure = row.failure { Issue.record("\(row.expression)\n    \(failure)") }
    }

    @Test(arguments: rows)
    func `an expression is the same after it was printed and read again`(row: ConformanceRow) {
        guard let expression = Expression.parsed(row.expression) else { return }
        #expect(Expression.parsed(expression.text)?.dump == expression.dump, "\(expression.text)")
    }

    @Test func `the suite is there as a whole`() throws {
        for file in try Self.suite.get() {
            let rows = file.rows.filter { !$0.isProtobuf }
            if !rows.isEmpty { print("\(file.name): \(rows.count { $0.failure == nil }) of \(rows.count) pass") }
        }
        #expect(Self.rows.count >= 1_743)
        #expect(Self.rows.count(where: \.isCore) >= 1_114)
    }
}

extension ConformanceRow: CustomTestStringConvertible {
    var testDescription: String { id }
}

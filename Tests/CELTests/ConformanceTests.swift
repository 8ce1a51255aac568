import CEL
import Testing

/// Runs the language's conformance suite, in the folder that `CEL_CONFORMANCE` names.
@Suite struct ConformanceTests {
    @Test(.enabled(if: ConformanceSuite.folder != nil, "set CEL_CONFORMANCE to the folder of the conformance suite"))
    func `every test of the suite that needs no protobuf passes`() throws {
        var tally: [String] = []
        var passedOfCore = 0
        for (file, rows) in try ConformanceSuite.files() {
            let applicable = rows.filter { !$0.isProtobuf }
            var passed = 0
            for row in applicable {
                if let failure = row.failure {
                    Issue.record("\(row.id): \(row.expression)\n    \(failure)")
                } else {
                    passed += 1
                    if row.isCore { passedOfCore += 1 }
                }
            }
            if !applicable.isEmpty { tally.append("\(file): \(passed) of \(applicable.count)") }
        }
        print(tally.joined(separator: "\n"))
        #expect(passedOfCore >= 1_114)
    }

    @Test(.enabled(if: ConformanceSuite.folder != nil, "set CEL_CONFORMANCE to the folder of the conformance suite"))
    func `every expression of the suite is the same after it was printed and read again`() throws {
        for row in try ConformanceSuite.files().flatMap(\.rows) {
            guard let expression = Expression.parsed(row.expression) else { continue }
            #expect(Expression.parsed(expression.text)?.dump == expression.dump, "\(row.id): \(expression.text)")
        }
    }
}

import AdapterKit
import BotCore
import CEL
import Rules

/// What came of all tests of a call.
struct ScenarioReport {
    var diagnostics: [RuleDiagnostic] = []
    /// Files with errors, whose tests did not run.
    var brokenFiles = 0
    var results: [(file: String, result: ScenarioRun.Result)] = []

    var hasPassed: Bool { brokenFiles == 0 && failed == 0 }

    private var failed: Int { results.count { !$0.result.hasPassed } }

    /// `3 tests passed`, `1 of 3 tests failed; 1 file has errors`.
    var summary: String {
        let tests = "\(results.count) test\(results.count == 1 ? "" : "s")"
        var parts = [failed == 0 ? "\(tests) passed" : "\(failed) of \(tests) failed"]
        if brokenFiles > 0 { parts.append(brokenFiles == 1 ? "1 file has errors" : "\(brokenFiles) files have errors") }
        return parts.joined(separator: "; ")
    }

    var json: JSONOutput {
        [
            "passed": .integer(Int64(results.count - failed)), "failed": .integer(Int64(failed)),
            "diagnostics": .array(diagnostics.map(\.json)),
            "tests": .array(results.map { $0.result.json(file: $0.file) }),
        ]
    }
}

extension ScenarioRun.Result {
    fileprivate func json(file: String) -> JSONOutput {
        [
            "file": .string(file), "name": .string(test.name), "line": .integer(Int64(test.position.line)),
            "passed": .bool(hasPassed),
            "failures": .array(comparisons.filter { !$0.isGood }.map(\.json)),
            "happenings": .array(happenings.map(\.json)),
        ]
    }
}

extension ScenarioRun.Comparison {
    fileprivate var json: JSONOutput {
        [
            "at": .string("\(at)"), "line": .integer(Int64(step.position.line)),
            "missing": .array(
                missing.map {
                    [
                        "line": .integer(Int64($0.position.line)), "column": .integer(Int64($0.position.column)),
                        "expected": .string($0.source),
                    ]
                }),
            "unexpected": .array(unexpected.map(\.json)),
        ]
    }
}

extension Happening {
    var json: JSONOutput {
        var members: [(String, JSONOutput)] = [
            ("at", .string("\(at)")), ("rule", rule.map(JSONOutput.string) ?? .null),
            ("subject", subject?.json ?? .null), ("episode", episode.map { .integer(Int64($0)) } ?? .null),
            ("what", .string(word)),
        ]
        switch what {
        case .post(let message): members.append(("channel", .string(message.channel)))
        case .write(let request):
            members.append(("step", .string(request.name)))
            if let id = request.target.id { members.append((request.target.word, .integer(id))) }
        case .held(let word, let reason): members += [("by", .string(word)), ("text", .string(reason))]
        case .told(_, let text), .wish(_, let text), .note(_, let text):
            members.append(("text", .string(text)))
        }
        members += details.map { ($0.name, .verbatim($0.value.json)) }
        let values = self.values.sorted { $0.key < $1.key }.map { ($0.key, JSONOutput.verbatim($0.value.json)) }
        members += [
            ("values", .object(values.map { (name: $0.0, value: $0.1) })),
            ("since", since.map { .string("\($0)") } ?? .null),
        ]
        return .object(members.map { (name: $0.0, value: $0.1) })
    }

    private var word: String {
        switch what {
        case .post: "post"
        case .write: "write"
        case .held: "held"
        case .told(let telling, _): telling.rawValue
        case .wish(let word, _): word
        case .note(let kind, _): kind.rawValue
        }
    }
}

import CEL
import Rules

@testable import BotCore

/// Rules and tests that are written down in a test, and what comes of them.
enum Play {
    private static let head = """
        channels: {ops: {adapter: console}, pager: {adapter: console}}
        notices: {channels: [ops]}

        """

    /// A rules file of these rules, the list under `rules:`.
    static func rules(_ text: String, head: String = "") -> RuleFile? {
        RuleFile.load(
            (self.head + head + "rules:\n" + text).utf8, file: "rules.yaml", vocabulary: .zimmer,
            channels: [ChannelSchema(kind: "console", keys: [])], now: Timestamp(seconds: 0)
        ).file
    }

    /// Loads a file of tests; `other.yaml` is another rules file.
    static func load(
        _ text: String, rules: String, head: String = "", other: String = ""
    ) -> (file: ScenarioFile?, diagnostics: [RuleDiagnostic]) {
        ScenarioFile.load(text.utf8, file: "test.yaml", words: .zimmer) { path in
            Self.rules(path == "other.yaml" ? other : rules, head: head)
        }
    }

    /// Plays the steps of one test, the list under `steps:`.
    static func steps(_ steps: String, rules: String, head: String = "", other: String = "") -> Outcome {
        let text = "rules: rules.yaml\nstart: 2026-10-09T12:00:00Z\ntests:\n- name: it\n  steps:\n" + steps
        let (file, diagnostics) = load(text, rules: rules, head: head, other: other)
        guard let file, let test = file.tests.first else { return Outcome(problems: diagnostics.map(\.description)) }
        return Outcome(ScenarioRun.run(test, rules: file.rules))
    }

    struct Outcome {
        /// What is wrong with the file, or was not as expected.
        var problems: [String]
        var happenings: [Happening] = []
        var start: Timestamp?

        init(problems: [String]) {
            self.problems = problems.isEmpty ? ["the rules have errors"] : problems
        }

        init(_ result: ScenarioRun.Result) {
            problems = result.comparisons.flatMap { comparison in
                comparison.missing.map { "missing: \($0.source)" }
                    + comparison.unexpected.map {
                        "unexpected: \($0.at) \($0.rule ?? "") \($0.details.map(\.value.text))"
                    }
            }
            happenings = result.happenings
            start = result.test.start
        }
    }
}

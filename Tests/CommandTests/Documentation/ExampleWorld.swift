import CEL
import Rules
import Testing

@testable import BotCore
@testable import zimmer_bot

/// The session and the moment that docs/expressions.md is about, as a rule that watches sessions sees them.
struct ExampleWorld {
    private let environment: Environment
    private let activation: Activation

    init(page: DocumentationPage) throws {
        let rule = """
            channels: {ops: {adapter: console}}
            rules:
              - name: example
                watch: session
                timezone: Europe/Berlin
                do: [{post: ops, text: hello}]
            """
        let (file, _) = RuleFile.load(
            rule.utf8, file: "rules.yaml", vocabulary: .zimmer,
            channels: Configuration.factory(Output(results: CapturedText(), diagnostics: CapturedText())).schemas,
            now: Timestamp(seconds: 0))
        environment = try #require(file?.rules.first).environment
        let now = try Timestamp(parsing: "2026-10-09T12:00:00Z")
        let json = try #require(page.blocks.first { $0.kind == "json" })
        let row = try #require(
            SessionDecoder(webURL: "https://zimmer.example.com").row(try JSONDocument(Array(json.text.utf8)).root))
        var tracker = SessionTracker()
        let session = Value.object(tracker.reading(of: row, previous: nil, at: now).object)
        var activation = Activation(environment)
        for (name, value) in [("now", .timestamp(now)), ("session", session), ("board", .list([session]))] {
            activation[try #require(environment.slot(of: name))] = value
        }
        self.activation = activation
    }

    func evaluate(_ expression: String) throws -> Value {
        try environment.compile(expression).evaluate(activation)
    }
}

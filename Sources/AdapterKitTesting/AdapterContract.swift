// Start here.
//
// What the bot relies on, as checks that any adapter can be put to. A suite makes one `AdapterContract` of its kind and a
// configuration, and calls each check from a test of its own; see Tests/AdaptersTests for examples.

public import AdapterKit
public import Testing

/// What holds for every adapter, whatever it speaks.
public struct AdapterContract: Sendable {
    private let makeKind: @Sendable () -> any AdapterKind
    /// A configuration that the kind accepts. Its secrets are long enough to be recognised.
    public var values: [String: ConfigurationValue]

    /// - Parameter kind: Made anew for each adapter: adapters of one kind may share a connection.
    public init(kind: @escaping @autoclosure @Sendable () -> any AdapterKind, values: [String: ConfigurationValue]) {
        makeKind = kind
        self.values = values
    }

    public var kind: any AdapterKind { makeKind() }

    /// A message that a contract sends unless told otherwise.
    public static let message = Message(
        kind: .firing, channel: "contract", rule: "failed-session",
        subject: Message.Subject(
            type: "session", id: "7", title: "Fix login", url: "https://zimmer.example.com/sessions/7"),
        episode: 1, time: WallTime(seconds: 1_791_547_320),
        body: TextTree([.paragraph([.strong([.text("Fix login")]), .text(" failed")])]),
        markdown: "**Fix login** failed")

    /// Makes the adapter over a transport.
    public func makeAdapter(
        transport: any HTTPTransport, clock: any AdapterClock = TestClock(), log: any AdapterLog = RecordingLog()
    ) throws -> any Adapter {
        let kind = kind
        let configuration = try AdapterConfiguration(schema: kind.schema, values: values)
        return try kind.makeAdapter(
            configuration: configuration,
            context: .testing(transport: transport, clock: clock, log: log))
    }

    /// Every key has a name of its own in the file's style, a sentence, and no default beside `required` or of another
    /// type.
    public func checkSchema(sourceLocation: SourceLocation = #_sourceLocation) {
        let names = kind.schema.keys.map(\.name)
        #expect(Set(names).count == names.count, "a key is there twice", sourceLocation: sourceLocation)
        for key in kind.schema.keys {
            let isName = !key.name.isEmpty && key.name.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
            #expect(isName, "'\(key.name)' is not lower_case", sourceLocation: sourceLocation)
            #expect(key.summary.hasSuffix("."), "'\(key.name)' has no sentence", sourceLocation: sourceLocation)
            guard let value = key.defaultValue else { continue }
            #expect(!key.isRequired, "'\(key.name)' is required and has a default", sourceLocation: sourceLocation)
            #expect(throws: Never.self, "the default of '\(key.name)'", sourceLocation: sourceLocation) {
                _ = try AdapterConfiguration(schema: ConfigurationSchema([key]), values: [key.name: value])
            }
        }
    }

    /// A required key that is absent, and a key that the kind does not have, are refused by name.
    public func checkRefusals(sourceLocation: SourceLocation = #_sourceLocation) {
        for key in kind.schema.keys where key.isRequired {
            var incomplete = self
            incomplete.values[key.name] = nil
            incomplete.expectRefusal(of: key.name, sourceLocation)
        }
        var overfull = self
        overfull.values["no_such_key"] = .text("x")
        overfull.expectRefusal(of: "no_such_key", sourceLocation)
    }

    private func expectRefusal(of key: String, _ sourceLocation: SourceLocation) {
        let error = #expect(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
            _ = try makeAdapter(transport: SilentTransport())
        }
        #expect(error?.key == key, sourceLocation: sourceLocation)
    }

    /// `run()` ends when its task is cancelled.
    public func checkRunEnds() async throws {
        let adapter = try makeAdapter(transport: SilentTransport())
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await adapter.run() }
            group.cancelAll()
        }
    }

    /// The secrets of the configuration, by what they say.
    var secrets: [String] { Self.secrets(values) }

    private static func secrets(_ values: [String: ConfigurationValue]) -> [String] {
        values.values.flatMap { value -> [String] in
            switch value {
            case .secret(let secret): [secret.reveal()]
            case .headers(let headers): headers.map { $0.value.reveal() }
            case .section(let values): secrets(values)
            default: []
            }
        }
    }
}

import CEL
import Rules

/// What a run remembers for its steps, as bytes.
struct RunContextCoder: Sendable {
    private let coder = ObjectCoder(types: WorldSchema.types + [EpisodeFacts.type])

    func encode(_ context: RunContext) -> [UInt8] {
        var entries: [(key: Value, value: Value)] = []
        func add(_ name: String, _ object: Object?) {
            if let object { entries.append((.string(name), .object(object))) }
        }
        add("previous", context.previous?.object)
        add("fired", context.fired?.object)
        add("episode", context.episode?.object)
        add("result", context.result?.object)
        return coder.encode(.map(MapValue(entries)))
    }

    /// What cannot be read any more is not there: a step that needs it is withdrawn, or prints it as such.
    func decode(_ bytes: [UInt8]) -> RunContext {
        guard case .map(let map)? = try? coder.decode(bytes) else { return RunContext() }
        func object(_ name: String) -> Object? {
            if case .object(let object)? = map[name: name] { object } else { nil }
        }
        return RunContext(
            previous: object("previous").map(Snapshot.init), fired: object("fired").map(Snapshot.init),
            episode: object("episode").flatMap(EpisodeFacts.init), result: object("result").map(Snapshot.init))
    }

    func encode(_ snapshot: Snapshot) -> [UInt8] { coder.encode(.object(snapshot.object)) }

    func snapshot(_ bytes: [UInt8]) -> Snapshot? {
        guard case .object(let object)? = try? coder.decode(bytes) else { return nil }
        return Snapshot(object)
    }
}

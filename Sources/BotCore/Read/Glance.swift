package import CEL
package import Rules

/// Reads once what an expression names, outside of any rule: for trying expressions out.
package struct Glance: Sendable {
    /// Why there is nothing to bind.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    private static let timeout: Duration = .seconds(60)

    private let assembly: Assembly
    private let clock: any BotClock
    private var tracker = SessionTracker()
    private var observation: Observation

    package init(_ assembly: Assembly, clock: any BotClock) {
        self.assembly = assembly
        self.clock = clock
        observation = Observation(freshness: assembly.freshness, startedAt: clock.now())
    }

    /// The values of `environment`'s variables, as far as `names` asks for them.
    ///
    /// - Parameters:
    ///   - watchable: what is the subject, if anything.
    ///   - id: the session, where the subject is one.
    package mutating func activation(
        of environment: Environment, naming names: Set<String>, watching watchable: Vocabulary.Watchable?, id: Int64?
    ) async throws(Failure) -> Activation {
        var activation = Activation(environment)
        let values = try await read(names, watchable, id)
        for (name, value) in values {
            if let slot = environment.slot(of: name) { activation[slot] = value }
        }
        return activation
    }

    private mutating func read(
        _ names: Set<String>, _ watchable: Vocabulary.Watchable?, _ id: Int64?
    ) async throws(Failure) -> [String: Value] {
        let now = clock.now()
        var values: [String: Value] = [
            "now": .timestamp(now), "vars": .object(assembly.file.constants),
        ]
        do throws(ZimmerError) {
            if names.contains("board") { values["board"] = await board(at: now) }
            if names.contains("health") {
                values["health"] = .object(try await assembly.reader.health(at: now, timeout: Self.timeout).object)
            }
            if names.contains("costs") {
                let window = CostsWindow(watchable?.name == "costs" ? .today : .back(.seconds(7 * 86_400)))
                let request = CostsRequest(window: window, timeZone: assembly.file.timeZone, slot: nil)
                values["costs"] = .object(
                    try await assembly.reader.costs(request.interval(now: now), at: now, timeout: Self.timeout).object)
            }
            if names.contains("zimmer") { values["zimmer"] = .object(observation.standing.object) }
            if let id, watchable?.name == "session" {
                guard let row = try await assembly.reader.session(id, timeout: Self.timeout) else {
                    throw ZimmerError(.notFound, message: "Zimmer has no session \(id)", reach: .notSent)
                }
                values["session"] = .object(tracker.reading(of: row, previous: nil, at: now).object)
            }
        } catch {
            throw Failure(description: error.description)
        }
        return values
    }

    private mutating func board(at now: Timestamp) async -> Value {
        let rows = await assembly.boardReader.read(previous: nil, timeout: Self.timeout)
        observation.note(rows.error, board: rows.isWhole ? now : nil, skew: rows.skew ?? .zero)
        guard rows.isWhole else {
            return .error(EvaluationError(.unavailable, rows.problem ?? "the board was not read whole"))
        }
        return tracker.reading(of: rows, previous: nil, at: now).value
    }
}

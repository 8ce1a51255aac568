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

    /// The values of `environment`'s variables, as far as `references` ask for them.
    ///
    /// - Parameters:
    ///   - watchable: what is the subject, if anything.
    ///   - id: of the subject, where there are many.
    package mutating func activation(
        of environment: Environment, naming references: Set<Reference>, watching watchable: Vocabulary.Watchable?,
        id: Int64?
    ) async throws(Failure) -> Activation {
        var activation = Activation(environment)
        let values = try await read(references, watchable, id)
        for (name, value) in values {
            if let slot = environment.slot(of: name) { activation[slot] = value }
        }
        return activation
    }

    private mutating func read(
        _ references: Set<Reference>, _ watchable: Vocabulary.Watchable?, _ id: Int64?
    ) async throws(Failure) -> [String: Value] {
        let names = Set(references.map(\.variable))
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
                values["session"] = .object(try await session(id, details: Self.details(references), at: now))
            }
            if let kind = (watchable?.name).flatMap(ListingKind.init) {
                values[kind.rawValue] = .object(try await object(id, of: kind, at: now))
            }
        } catch {
            throw Failure(description: error.description)
        }
        return values
    }

    private static func details(_ references: Set<Reference>) -> Set<SessionDetail> {
        Set(references.filter { $0.variable == "session" }.compactMap { $0.path.first.flatMap(SessionField.detail) })
    }

    private mutating func session(
        _ id: Int64, details: Set<SessionDetail>, at now: Timestamp
    ) async throws(ZimmerError) -> Object {
        guard let row = try await assembly.reader.session(id, timeout: Self.timeout) else {
            throw ZimmerError(.notFound, message: "Zimmer has no session \(id)", reach: .notSent)
        }
        tracker.note(await assembly.detailReader.details(details, of: row, at: now, timeout: Self.timeout), of: id)
        return tracker.reading(of: row, previous: nil, at: now).object
    }

    /// An object of a list; what belongs to a session needs the board beside it.
    private mutating func object(
        _ id: Int64?, of kind: ListingKind, at now: Timestamp
    ) async throws(ZimmerError) -> Object {
        if kind.hasSession { _ = await board(at: now) }
        let listing = await assembly.listingReader.read(
            kind, previous: nil, asking: observation.asking(now: now), at: now, timeout: Self.timeout)
        guard listing.isWhole else {
            throw listing.error
                ?? ZimmerError(.badBody, message: listing.problem ?? "it was not read whole", reach: .notSent)
        }
        observation.take(listing, departed: [:])
        let subject = kind.subject(id.map(String.init) ?? kind.rawValue)
        guard let object = observation.latest(subject) else {
            throw ZimmerError(.notFound, message: "Zimmer does not list \(subject)", reach: .notSent)
        }
        return object
    }

    private mutating func board(at now: Timestamp) async -> Value {
        let rows = await assembly.boardReader.read(previous: nil, timeout: Self.timeout)
        observation.note(rows.error, board: rows.isWhole ? now : nil, skew: rows.skew ?? .zero)
        guard rows.isWhole else {
            return .error(EvaluationError(.unavailable, rows.problem ?? "the board was not read whole"))
        }
        let reading = tracker.reading(of: rows, previous: nil, at: now)
        observation.take(reading, departed: [:])
        return reading.value
    }
}

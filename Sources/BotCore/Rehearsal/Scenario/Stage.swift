import CEL
import Rules

/// What there is to be read in a test: a Zimmer that is only what its steps say.
struct Stage: Sendable {
    private struct Thing {
        var sketch: Sketch
        var since: Timestamp
        /// Of a list: as it is read.
        var object: Object?
    }

    private let webURL: String
    private let start: Timestamp
    private var sessions: [Int64: StagedSession] = [:]
    private var departed: [Int64: SessionRow] = [:]
    /// In the order of ids, newest first, as Zimmer has them.
    private var rows: [SessionRow] = []
    /// Everything else, by the word of `watch` and the subject's id.
    private var things: [String: [String: Thing]] = [:]
    private(set) var failing: Set<String> = []
    private var fates: [String: ScenarioFile.WriteFate] = [:]
    /// Why Zimmer does not answer at all.
    private var absence: ZimmerError?

    init(webURL: String, start: Timestamp) {
        self.webURL = webURL.hasSuffix("/") ? String(webURL.dropLast()) : webURL
        self.start = start
    }

    // MARK: - Steps

    /// Takes what a step says there is to be read from now on.
    ///
    /// - Returns: the readers that would now see something else.
    mutating func take(_ step: ScenarioFile.Step, at now: Timestamp) -> Set<String> {
        let words = ScenarioWords.zimmer
        var touched = Set(step.fails + step.works)
        for reading in step.readings {
            guard let watchable = words.vocabulary.watchable(reading.watchable) else { continue }
            guard let reader = words.reader(of: watchable) else {
                if reading.watchable == "zimmer" { touched.formUnion(takeStanding(reading)) }
                if reading.watchable == "channel" { keep(reading, at: now) }
                continue
            }
            touched.insert(reader)
            failing.remove(reader)
            reading.watchable == "session" ? takeSessions(reading, at: now) : keep(reading, at: now)
        }
        for subject in step.gone {
            touched.formUnion(words.vocabulary.watchable(subject.type).flatMap(words.reader).map { [$0] } ?? [])
            things[subject.type]?[subject.id] = nil
            guard subject.type == "session", let id = Int64(subject.id) else { continue }
            sessions[id] = nil
            departed[id] = nil
        }
        fates.merge(step.fates) { $1 }
        failing.subtract(step.works)
        failing.formUnion(step.fails)
        if touched.contains("board") {
            rows = sessions.values.filter { !$0.isArchived }.sorted { $0.id > $1.id }.map(row)
        }
        return touched
    }

    private func row(_ session: StagedSession) -> SessionRow { session.row(webURL: webURL) }

    private mutating func takeSessions(_ reading: ScenarioFile.Reading, at now: Timestamp) {
        for (text, sketch) in reading.objects {
            guard let id = Int64(text) else { continue }
            var session = sessions[id] ?? StagedSession(id, at: now)
            session.take(sketch, at: now)
            sessions[id] = session
            departed[id] = session.isArchived ? row(session) : nil
        }
    }

    private mutating func keep(_ reading: ScenarioFile.Reading, at now: Timestamp) {
        for (id, sketch) in reading.objects {
            let before = things[reading.watchable]?[id]
            var thing = Thing(sketch: sketch.resolved(at: now).over(before?.sketch), since: before?.since ?? now)
            if let kind = ListingKind(rawValue: reading.watchable) { thing.object = object(thing, id, of: kind) }
            things[reading.watchable, default: [:]][id] = thing
        }
    }

    /// Everything fails while Zimmer cannot be reached or refuses the credential.
    private mutating func takeStanding(_ reading: ScenarioFile.Reading) -> Set<String> {
        keep(reading, at: start)
        let sketch = things["zimmer"]?["zimmer"]?.sketch
        var message = "Zimmer cannot be reached"
        if case .value(.string(let text))? = sketch?["error"] { message = text }
        if case .value(.bool(false))? = sketch?["reachable"] {
            absence = ZimmerError(.transport, message: message, reach: .notSent)
        } else if case .value(.string(let word))? = sketch?["sign_in"], word != "ok" {
            absence = ZimmerError(word == "edge_refused" ? .edgeRefused : .signIn, status: 401, message: message)
        } else {
            absence = nil
        }
        return Set(Assembly.ReaderName.allCases.map(\.rawValue))
    }

    // MARK: - Readings

    /// Why a reader gets no answer.
    func failure(of reader: String) -> ZimmerError? {
        if let absence { return absence }
        guard failing.contains(reader) else { return nil }
        return ZimmerError(.transport, message: "reading '\(reader)' failed", reach: .notSent)
    }

    /// How writes end: they are done until something else is said.
    var fate: @Sendable (WriteRequest) -> ScenarioFile.WriteFate {
        { [fates] request in fates[request.name] ?? .done }
    }

    var board: (rows: BoardRows, departed: [Int64: SessionRow]) {
        (BoardRows(whole: rows), departed)
    }

    /// What the bot is to remember of sessions, where the test says so.
    func remembered(
        over known: (Int64) -> TrackedSession?, at now: Timestamp
    ) -> [(id: Int64, tracked: TrackedSession)] {
        rows.compactMap { row in
            sessions[row.id]?.remembered(row, over: known(row.id), at: now).map { (row.id, $0) }
        }
    }

    /// What Zimmer lists beside the board: nothing until something is said, newest first.
    func listing(_ kind: ListingKind, at now: Timestamp) -> Listing {
        var listing = Listing(kind, readAt: now)
        let objects = (things[kind.rawValue] ?? [:]).map { (kind.subject($0.key), $0.value.object) }
        listing.rows = objects.sorted { $0.0 > $1.0 }.compactMap { id, object in
            object.map { Listing.Row(id: id, object: $0, digest: 0) }
        }
        if kind == .clis, listing.rows.isEmpty {
            let tools = Sketch?.none.object(kind.type, since: start)
            listing.rows = [Listing.Row(id: kind.subject(kind.rawValue), object: tools, digest: 0)]
        }
        listing.isWhole = true
        return listing
    }

    private func object(_ thing: Thing, _ id: String, of kind: ListingKind) -> Object {
        Optional(thing.sketch).object(kind.type, since: thing.since) { type, field in
            switch (type, field) {
            case (WorldSchema.trigger.name, "name"): .string("Trigger \(id)")
            case (WorldSchema.trigger.name, "url"): .string("\(webURL)/triggers/\(id)")
            case (WorldSchema.clis.name, "unauthenticated"): Self.unauthenticated(thing.sketch)
            default: nil
            }
        }
    }

    private static func unauthenticated(_ sketch: Sketch) -> Value {
        guard case .map(let tools)? = sketch["tools"] else { return .list([]) }
        let names = tools.filter { _, tool in
            if case .value(.bool(false))? = tool["authenticated"] { true } else { false }
        }
        return .list(names.map { .string($0.0) })
    }

    /// Healthy until something else is said. What the report says of a section in trouble is among the `problems` too.
    func health(at now: Timestamp) -> HealthReading {
        let sketch = things["health"]?["health"]?.sketch
        let object = sketch.object(WorldSchema.health, since: now) { type, field in
            guard type == WorldSchema.health.name else { return nil }
            switch field {
            case "problems": return Self.problems(sketch)
            case "generated_at": return .timestamp(now)
            default: return nil
            }
        }
        return HealthReading(object, readAt: now)
    }

    private static func problems(_ sketch: Sketch?) -> Value {
        guard case .object(let sections)? = sketch else { return .list([]) }
        let problems = sections.sorted { $0.key < $1.key }.compactMap { name, section -> Value? in
            guard let status = section["status"], case .value(.string(let word))? = status["status"],
                word == "warning" || word == "critical"
            else { return nil }
            let message = status["message"].completed(as: .string, since: Timestamp(seconds: 0))
            return .object(Object(WorldSchema.healthProblem, [.string(name), .string(word), message]))
        }
        return .list(problems)
    }

    /// Nothing spent until something else is said; the same in every window.
    var costs: Rehearsal.CostsSource {
        let sketch = things["costs"]?["costs"]?.sketch
        let failure = failure(of: "costs")
        return { request, now in
            if let failure { return .failure(failure) }
            let window = request.interval(now: now)
            let object = sketch.object(WorldSchema.costs, since: now) { type, field in
                switch (type, field) {
                case (WorldSchema.costs.name, "from"): .timestamp(window.from)
                case (WorldSchema.costs.name, "to"): .timestamp(window.to)
                case (WorldSchema.costs.name, "complete"), (_, "complete"): .bool(true)
                default: nil
                }
            }
            return .success(CostsReading(object, window: window, readAt: now))
        }
    }

    /// How the channels fare: up, unless something else was said.
    func channels(_ names: [String], at now: Timestamp) -> [ChannelStatus] {
        names.map { name in
            var status = ChannelStatus(channel: name)
            guard let thing = things["channel"]?[name] else { return status }
            let object = Optional(thing.sketch).object(WorldSchema.channel, since: thing.since)
            if case .string(let word) = object["state"] { status.state = ChannelStatus.State(rawValue: word) ?? .up }
            if case .string(let error) = object["error"] { status.error = error }
            if case .timestamp(let since) = object["since"] { status.since = since }
            if case .int(let waiting) = object["waiting"] { status.waiting = Int(clamping: waiting) }
            if status.state != .up, status.since == nil { status.since = thing.since }
            return status
        }
    }
}

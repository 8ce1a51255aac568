import CEL
import Rules

/// A session of a test: what was written down about it up to now.
struct StagedSession: Sendable {
    let id: Int64
    private(set) var sketch = Sketch.object([:])
    private var pullRequests: [Sketch] = []
    /// When it was first mentioned, which is when it was created unless the test says otherwise.
    private let since: Timestamp
    private var changedAt: Timestamp

    init(_ id: Int64, at now: Timestamp) {
        self.id = id
        since = now
        changedAt = now
    }

    var isArchived: Bool { status == "archived" }

    private var status: String { text(sketch["status"]) ?? "running" }

    /// Takes what a step says.
    mutating func take(_ news: Sketch, at now: Timestamp) {
        guard case .object(var fields) = news.resolved(at: now) else { return }
        changedAt = now
        let before = status
        takePullRequests(all: fields.removeValue(forKey: "prs"), newest: fields.removeValue(forKey: "pr"), at: now)
        sketch = Sketch.object(fields).over(sketch)
        guard status != before, case .object(var known) = sketch else { return }
        // What was said of the status before says nothing of this one.
        for field in ["status_since", "waiting_reason"] where fields[field] == nil { known[field] = nil }
        sketch = .object(known)
    }

    /// `prs` are all of them, `pr` changes the newest.
    private mutating func takePullRequests(all: Sketch?, newest: Sketch?, at now: Timestamp) {
        if case .list(let list)? = all { pullRequests = list.map { Self.authorized($0, at: now) } }
        guard let newest else { return }
        if newest.isNull {
            pullRequests = []
            return
        }
        let before = pullRequests.popLast()
        let isOther = newest["url"].map { text($0) != text(before?["url"]) } ?? false
        if isOther, let before { pullRequests.append(before) }
        pullRequests.append(Self.authorized(newest.over(isOther ? nil : before), at: now))
    }

    /// An authorization of which no time is given was recorded now.
    private static func authorized(_ pull: Sketch, at now: Timestamp) -> Sketch {
        guard case .object(var fields) = pull, case .value(.bool(true))? = fields["authorized"],
            fields["authorized_at"] == nil
        else { return pull }
        fields["authorized_at"] = .value(.timestamp(now))
        return .object(fields)
    }

    // MARK: - As it is read

    func row(webURL: String) -> SessionRow {
        let object = Optional(sketch).object(WorldSchema.session, since: since) { type, field in
            type == WorldSchema.session.name ? fill(field, webURL) : nil
        }
        let reason = text(sketch["waiting_reason"]).flatMap(WaitingReason.init)
        return SessionRow(
            id: id, status: status, digest: 0, slots: object.slots, touchedAt: object["touched_at"],
            pullRequests: pullRequests.enumerated().map(row),
            waitingMarkers: reason.map { [WaitingMarker(reason: $0, at: nil)] } ?? [])
    }

    /// What Zimmer sends of a session of which nothing was said.
    private func fill(_ field: String, _ webURL: String) -> Value? {
        switch field {
        case "status": .string("running")
        case "title": .string("Session \(id)")
        case "agent_runtime": .string("claude_code")
        case "genesis": .string("web_ui")
        case "priority_class": sketch["scheduling_class"].completed(as: .nullable(.string), since: since)
        case "effective_visibility": .string(text(sketch["visibility"]) ?? "visible")
        case "touched_at": sketch["created_at"].completed(as: .timestamp, since: since)
        case "updated_at": .timestamp(changedAt)
        case "repo": text(sketch["git_root"]).flatMap(Repository.name).map(Value.string) ?? .null
        case "url": .string("\(webURL)/sessions/\(id)")
        default: nil
        }
    }

    private func row(_ index: Int, _ pull: Sketch) -> PullRequestRow {
        let url = text(pull["url"]) ?? "https://github.com/example/project/pull/\(id * 10 + Int64(index))"
        let place = Repository.pullRequest(url)
        let object = Optional(pull).object(WorldSchema.pullRequest, since: since) { _, field in
            switch field {
            case "url": .string(url)
            case "repo": .string(place?.repo ?? "example/project")
            case "number": .int(place?.number ?? id)
            case "state": .string("open")
            case "ci": .string("none")
            default: nil
            }
        }
        return PullRequestRow(
            url: url, ci: text(object["ci"]), state: text(object["state"]), authorization: Self.authorization(pull),
            slots: object.slots)
    }

    private static func authorization(_ pull: Sketch) -> PullRequestRow.Authorization {
        if case .value(.bool(false))? = pull["authorized"] { return .none }
        guard case .value(let at)? = pull["authorized_at"] else { return .none }
        if case .null = at, pull["authorized"] == nil { return .none }
        return .recorded(at: at)
    }

    /// The bot's memory of it, where the test says since when things are as they are.
    ///
    /// - Parameter known: what the bot remembers by itself.
    func remembered(_ row: SessionRow, over known: TrackedSession?, at now: Timestamp) -> TrackedSession? {
        let since = time(sketch["status_since"])
        let checks = pullRequests.map { time($0["ci_since"]) }
        guard since != nil || checks.contains(where: { $0 != nil }) else { return nil }
        var tracked = known?.observing(row, at: now, lastWholeReading: nil) ?? TrackedSession(row, at: now)
        tracked.statusSince = since ?? tracked.statusSince
        for (index, since) in checks.enumerated() { tracked.checks[index].since = since ?? tracked.checks[index].since }
        return tracked
    }

    private func text(_ sketch: Sketch?) -> String? {
        if case .value(.string(let text))? = sketch { text } else { nil }
    }

    private func text(_ value: Value) -> String {
        if case .string(let text) = value { text } else { "" }
    }

    private func time(_ sketch: Sketch?) -> Timestamp? {
        if case .value(.timestamp(let time))? = sketch { time } else { nil }
    }
}

import CEL

/// Reads rows of sessions. A field that is missing or of the wrong type blanks that field; only a row without an id or a
/// status is none.
package struct SessionDecoder: Sendable {
    private let webURL: String
    private let seed: UInt64

    /// - Parameters:
    ///   - webURL: where people open Zimmer; pages of sessions are linked under it.
    ///   - seed: for digests, new in each process so that nobody can prepare two rows with the same one.
    package init(webURL: String, seed: UInt64 = .random(in: .min ... .max)) {
        self.webURL = webURL.hasSuffix("/") ? String(webURL.dropLast()) : webURL
        self.seed = seed
    }

    /// The session of a row; nil when it has no id or no status.
    ///
    /// - Parameter previous: the same session's row from an earlier reading, returned again if nothing changed.
    package func row(_ json: JSONValue, previous: (Int64) -> SessionRow? = { _ in nil }) -> SessionRow? {
        guard let id = json["id"]?.int, let status = json["status"]?.string, !status.isEmpty else { return nil }
        let digest = json.digest(seed: seed)
        if let previous = previous(id), previous.digest == digest { return previous }
        return decode(json, id: id, status: status, digest: digest)
    }

    private func decode(_ json: JSONValue, id: Int64, status: String, digest: UInt64) -> SessionRow {
        var row = Fields(json)
        row[.id] = .int(id)
        row[.status] = .string(status)
        row[.url] = .string("\(webURL)/sessions/\(id)")
        row.decodeTitle(json, else: "Session \(id)")
        row.decodeTexts(json)
        row.decodeVisibility(json)
        let metadata = json.present("metadata")
        let record = json.present("custom_metadata")
        let touchedAt = Self.touchedAt(metadata, createdAt: row[.createdAt])
        row[.failureReason] = metadata?["failure_reason"]?.string.map(Value.string) ?? .null
        row[.agentRoot] = metadata?["agent_root_key"]?.string.map(Value.string) ?? .null
        row[.blockedOnElicitation] = .bool(metadata?["blocked_on_elicitation"]?.bool ?? false)
        row[.mcpFailed] = .list(Self.failedServers(record).map(Value.string))
        return SessionRow(
            id: id, status: status, digest: digest, slots: row.slots, touchedAt: touchedAt,
            pullRequests: PullRequestDecoder(record).rows, waitingMarkers: Self.waitingMarkers(json, metadata),
            members: Self.members(json))
    }

    private static func members(_ json: JSONValue) -> SessionRow.Members {
        // A row without what every Zimmer sends says nothing of how old this one is.
        guard json["custom_metadata"] != nil else { return .all }
        var members: SessionRow.Members = []
        if json["visibility"] != nil || json["effective_visibility"] != nil { members.insert(.visibility) }
        if json["goal_check"] != nil { members.insert(.goalCheck) }
        return members
    }

    /// The last time a person acted. One that is there and cannot be read is an error rather than the time of creation:
    /// that would make the session look long forgotten.
    private static func touchedAt(_ metadata: JSONValue?, createdAt: Value) -> Value {
        guard let time = metadata?.present("last_user_activity_at") else { return createdAt }
        return WireDecoder.value(.timestamp, time, "metadata.last_user_activity_at")
    }

    private static func failedServers(_ record: JSONValue?) -> [String] {
        var names: [String] = []
        var seen: Set<ByteKey> = []
        let failed = (record?["mcp_failed_servers"]).map { $0.elements.compactMap { $0["name"]?.string } } ?? []
        let states = (record?["mcp_servers_status"]).map {
            $0.members.filter { $0.value["status"]?.string == "failed" }.map(\.name)
        }
        for name in failed + (states ?? []) where seen.insert(ByteKey(name)).inserted { names.append(name) }
        return names
    }

    /// The reasons that Zimmer's bookkeeping gives for a wait, in the order in which they count.
    private static func waitingMarkers(_ json: JSONValue, _ metadata: JSONValue?) -> [WaitingMarker] {
        func time(_ name: String) -> Timestamp? { metadata?[name].flatMap(WireDecoder.timestamp) }
        func has(_ name: String) -> Bool { metadata?.present(name) != nil }
        var markers: [WaitingMarker] = []
        func add(_ reason: WaitingReason, _ applies: Bool, _ at: Timestamp? = nil) {
            if applies { markers.append(WaitingMarker(reason: reason, at: at)) }
        }
        add(.authOutage, has("auth_outage_reason") || has("auth_outage_parked_at"), time("auth_outage_parked_at"))
        let needsSignIn = metadata?["failure_reason"]?.string == "oauth_required"
        add(.oauthRequired, needsSignIn || (metadata?["oauth_required_servers"]?.count ?? 0) > 0)
        add(
            .quotaPause, has("spot_pause_at") || metadata?["paused_by"]?.string == "spot_quota", time("spot_pause_at"))
        add(.spotHold, has("spot_hold_at") || has("spot_hold_reason"), time("spot_hold_at"))
        add(.asleep, has("deliberate_sleep_at"), time("deliberate_sleep_at"))
        add(.queued, json.present("job_id") != nil || has("pending_follow_up_prompt"))
        return markers
    }
}

/// The slots of a session while they are filled.
private struct Fields {
    var slots: [Value]

    /// The declared fields that are on the wire under their own name.
    private static let plain: [(slot: Int, name: String, type: Type)] = {
        let derived: Set<SessionField> = [
            .id, .title, .status, .agentRoot, .model, .priorityClass, .prompt, .repo, .visibility, .effectiveVisibility,
            .metadata, .customMetadata, .url, .touchedAt, .idle, .age, .statusSince, .failureReason, .waitingReason,
            .blockedOnElicitation, .mcpFailed, .prs, .pr,
        ]
        return SessionField.allCases.filter { !derived.contains($0) && $0.detail == nil }
            .map { ($0.slot, $0.declaration.name, $0.declaration.type) }
    }()

    private static let blank: [Value] = SessionField.allCases.map {
        $0.detail == nil ? .null : .error(SessionDetail.unread)
    }

    /// A prompt may have half a million characters.
    private static let maximumPrompt = 4_000

    init(_ json: JSONValue) {
        slots = Self.blank
        for (slot, name, type) in Self.plain { slots[slot] = WireDecoder.value(type, json[name], "session.\(name)") }
    }

    subscript(_ field: SessionField) -> Value {
        get { slots[field.slot] }
        set { slots[field.slot] = newValue }
    }

    mutating func decodeTitle(_ json: JSONValue, else name: String) {
        let title = WireDecoder.value(.nullable(.string), json["title"], "session.title")
        if case .string(let text) = title, !text.isEmpty { self[.title] = title } else { self[.title] = .string(name) }
    }

    mutating func decodeTexts(_ json: JSONValue) {
        self[.prompt] = WireDecoder.value(.nullable(.string), json["prompt"], "session.prompt")
        if case .string(let prompt) = self[.prompt], prompt.utf8.count > Self.maximumPrompt {
            let scalars = prompt.unicodeScalars
            if let end = scalars.index(scalars.startIndex, offsetBy: Self.maximumPrompt, limitedBy: scalars.endIndex) {
                self[.prompt] = .string(String(scalars[..<end]))
            }
        }
        self[.model] = json["config"]?["model"]?.string.map(Value.string) ?? .null
        if case .string(let root) = self[.gitRoot] {
            self[.repo] = Repository.name(of: root).map(Value.string) ?? .null
        }
        for (field, name) in [(SessionField.metadata, "metadata"), (.customMetadata, "custom_metadata")] {
            let json = json.present(name)
            let empty = Value.map(MapValue([]))
            self[field] = json.map { WireDecoder.value(.map(.string, .dyn), $0, "session.\(name)") } ?? empty
        }
    }

    /// What an older server does not send has a meaning: it shows every session, and knows no class but the chosen one.
    mutating func decodeVisibility(_ json: JSONValue) {
        self[.priorityClass] = WireDecoder.value(.nullable(.string), json["priority_class"], "session.priority_class")
        if case .null = self[.priorityClass] { self[.priorityClass] = self[.schedulingClass] }
        let stored = json.present("visibility").map { WireDecoder.value(.string, $0, "session.visibility") }
        self[.visibility] = stored ?? .string("visible")
        let effective = json.present("effective_visibility")
        self[.effectiveVisibility] =
            effective.map { WireDecoder.value(.string, $0, "session.effective_visibility") } ?? self[.visibility]
    }
}

/// One session as the server keeps it: what the API shows, and what only the agent behind it knows.
package struct Session: Sendable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case waiting, running
        case needsInput = "needs_input"
        case failed, archived
    }

    package enum Visibility: String, Sendable, Hashable {
        case visible, hidden, snoozed
    }

    package let id: Int
    package var slug: String?
    package var idempotencyKey: String?
    package var title: String?
    package var status: Status
    package var agentRuntime = "claude_code"
    package var genesis = "web_ui"
    package var schedulingClass: String?
    package var precedence = 0
    package var prompt: String?
    package var gitRoot: String?
    package var branch = "main"
    package var subdirectory: String?
    package var goal: String?
    package var mcpServers = ["issue-tracker"]
    package var model = "opus"
    package var isAutonomous = true
    package var heartbeatEnabled = false
    package var heartbeatIntervalSeconds = 60
    package var createdAt: ServerTime
    package var updatedAt: ServerTime
    package var archivedAt: ServerTime?
    package var trashAfter: ServerTime?
    package var notes: String?
    package var notesUpdatedAt: ServerTime?
    package var favorited = false
    package var visibility = Visibility.visible
    package var snoozedUntil: ServerTime?
    /// Zimmer's own bookkeeping beside what has a field here.
    package var metadata: JSON = [:]
    /// What callers and pollers wrote beside the pull requests.
    package var customMetadata: JSON = [:]
    /// Oldest first; the last one is "the" pull request.
    package var pullRequests: [PullRequest] = []
    /// When the poller last read the pull requests. It passes by failed and archived sessions.
    package var pullRequestsReadAt: ServerTime?

    package var agentRoot: String? {
        get { metadata["agent_root_key"]?.text }
        set { metadata["agent_root_key"] = newValue.map(JSON.string) }
    }

    package var failureReason: String? {
        get { metadata["failure_reason"]?.text }
        set { metadata["failure_reason"] = newValue.map(JSON.string) }
    }

    /// When a person last acted on it.
    package var lastUserActivityAt: ServerTime? {
        get { metadata["last_user_activity_at"]?.text.flatMap(ServerTime.init(iso8601:)) }
        set { metadata["last_user_activity_at"] = newValue.map { JSON($0) } }
    }

    /// Members of the row that replace what the fields say: for rows that a newer, older or broken server would send.
    package var wireOverrides: [String: JSON] = [:]
    /// Members that the row leaves out.
    package var wireOmissions: Set<String> = []

    /// Whether a push is made when it comes to rest. Off by default, as in Zimmer.
    package var pushesWhenResting = false
    package var parentID: Int?
    package var statusSummary: JSON = .null
    package var conversation: [ConversationMessage] = []
    package var humanMessages: [HumanMessage] = []
    package var transcriptLineCount = 0
    /// The runtime's conversation id; nil until the first turn ran.
    package var runtimeSessionID: String?
    /// What the agent does with its next turns, first to last. After these it does what the state's `agent` says.
    package var script: [TurnOutcome] = []
    /// How long its turns take; nil for what the state's `agent` says.
    package var turnLength: Duration?
    /// The turn that is queued or under way.
    package var turn: Turn?
    /// Dollars that a quarter of an hour of this session's turns cost.
    package var costPerQuarter = 0.6

    package init(id: Int, status: Status = .needsInput, title: String? = nil, createdAt: ServerTime) {
        self.id = id
        self.status = status
        self.title = title
        self.createdAt = createdAt
        self.updatedAt = createdAt
        self.agentRoot = "widgets"
        self.gitRoot = "https://github.com/example/widgets.git"
        self.slug = Self.slug(for: title, id: id)
    }

    /// Lower-case letters and digits of the title joined by dashes, then the id: never all digits.
    static func slug(for title: String?, id: Int) -> String {
        let words = (title ?? "session").lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return (words.isEmpty ? ["session"] : words).joined(separator: "-").prefix(60) + "-\(id)"
    }

    /// The stored visibility, with a snooze that is over read as visible.
    package func effectiveVisibility(at now: ServerTime) -> Visibility {
        guard visibility == .snoozed, let until = snoozedUntil, until <= now else { return visibility }
        return .visible
    }

    /// The class in force: the explicit one, else what the genesis stands for.
    package var priorityClass: String {
        schedulingClass ?? (["web_ui", "slack", "system_event", "unknown"].contains(genesis) ? "priority" : "spot")
    }

    package var lastPullRequest: PullRequest? { pullRequests.last }
}

/// A stretch of an agent's work that somebody's words set off.
package struct Turn: Sendable, Hashable {
    /// Told apart from the turns before it, so that what was planned for a cancelled one comes to nothing.
    package var number: Int
    /// The words that set it off.
    package var prompt: String
}

/// A message of a session's conversation.
package struct ConversationMessage: Sendable, Hashable {
    package var role: String
    package var content: String
    package var timestamp: ServerTime?
    package var hasToolUse = false

    package init(role: String, content: String, timestamp: ServerTime?, hasToolUse: Bool = false) {
        self.role = role
        self.content = content
        self.timestamp = timestamp
        self.hasToolUse = hasToolUse
    }

    var json: JSON {
        [
            "role": .string(role), "content": .string(clipped), "timestamp": JSON(timestamp),
            "has_tool_use": .bool(hasToolUse), "has_tool_result": false,
        ]
    }

    private var clipped: String {
        content.unicodeScalars.count <= 4000
            ? content : String(String.UnicodeScalarView(content.unicodeScalars.prefix(4000))) + "\n...[truncated]"
    }
}

/// What a person said, with the proof of where: the record that merge gates read.
package struct HumanMessage: Sendable, Hashable {
    package var author: String
    package var entryPoint: String
    package var content: String
    package var occurredAt: ServerTime

    func json(in session: Session) -> JSON {
        [
            "origin": "here", "author": .string("\(author.lowercased())@example.com"),
            "author_display_name": .string(author), "channel": "web_ui", "channel_label": "Web UI",
            "authored_in_session_id": .int(session.id), "authored_in": JSON(session.title),
            "entry_point": .string(entryPoint), "content": .string(content), "occurred_at": JSON(occurredAt),
        ]
    }
}

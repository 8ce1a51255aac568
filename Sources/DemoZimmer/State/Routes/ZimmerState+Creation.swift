/// Starting sessions and changing what they are called.
extension ZimmerState {
    mutating func createSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let key = call.text("idempotency_key")
        if let key, let existing = sessions.all.first(where: { $0.idempotencyKey == key }) {
            return answer(existing.id, ("idempotent_replay", true))
        }
        if call.parameter("precedence") != nil, call.parameter("place") != nil {
            throw .unprocessable("Invalid placement", "Send precedence or place, not both.")
        }
        let root = call.text("agent_root")
        if let root, !Self.agentRoots.contains(root) {
            throw .unprocessable("Invalid agent_root", "Unknown agent root")
        }
        let title = try newTitle(call)
        let prompt = call.text("prompt")
        let id = addSession(title: title ?? "Session", status: .waiting) { session in
            session.title = title
            session.slug = Session.slug(for: title, id: session.id)
            session.idempotencyKey = key
            session.genesis = call.credential == .apiKey ? "api" : "web_ui"
            session.schedulingClass = call.text("scheduling_class")
            session.precedence = call.integer("precedence") ?? 0
            session.prompt = prompt
            session.goal = call.text("goal")
            session.branch = call.text("branch") ?? "main"
            session.subdirectory = call.text("subdirectory")
            session.lastUserActivityAt = nil
            session.agentRoot = root
            session.gitRoot = call.text("git_root") ?? root.map { "https://github.com/example/\($0).git" }
            session.parentID = call.integer("parent_session_id")
            session.customMetadata = call.parameter("custom_metadata").flatMap { $0.members.map(JSON.object) } ?? [:]
            if let model = call.parameter("config")?["model"]?.text { session.model = model }
        }
        if let prompt { deliver(prompt, to: id) }
        var response = answer(id, ("warnings", []))
        response.status = 201
        return response
    }

    mutating func updateSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        let title = try newTitle(call)
        let goal = call.parameter("goal")?.text
        let schedulingClass = call.parameter("scheduling_class")
        if let schedulingClass, ![.null, "priority", "spot"].contains(schedulingClass) {
            throw .invalid("Scheduling class is not included in the list")
        }
        if call.parameter("precedence") != nil, call.parameter("place") != nil {
            throw .unprocessable("Invalid placement", "Send precedence or place, not both.")
        }
        let top = sessions.all.map(\.precedence).max() ?? 0
        edit(session.id) { session in
            if let title { session.title = title }
            if let goal { session.goal = goal.isEmpty ? nil : goal }
            if let schedulingClass { session.schedulingClass = schedulingClass.text }
            if let precedence = call.integer("precedence") { session.precedence = precedence }
            if call.text("place") == "top_of_spot" { session.precedence = top + 10 }
            // The whole object is replaced, the pull request record included: why no careful client sends it.
            if let custom = call.parameter("custom_metadata"), custom.members != nil {
                session.pullRequests = []
                session.pullRequestsReadAt = nil
                session.customMetadata = custom
            }
        }
        return answer(session.id)
    }

    private func newTitle(_ call: Call) throws(Refusal) -> String? {
        guard let title = call.parameter("title"), title != .null else { return nil }
        guard let text = title.text?.trimmingWhitespace, !text.isEmpty else { throw .invalid("Title can't be blank") }
        guard text.unicodeScalars.count <= 100 else { throw .invalid("Title is too long (maximum is 100 characters)") }
        return text
    }
}

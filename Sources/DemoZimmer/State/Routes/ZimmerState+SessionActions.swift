/// Acting on sessions: every transition a caller can ask for, and every refusal.
extension ZimmerState {
    mutating func followUp(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let prompt = call.text("prompt") else { throw .invalid("Prompt is required") }
        let words = prompt.trimmingWhitespace
        guard words.unicodeScalars.count <= 500_000 else { throw .invalid("Prompt is too long") }
        if session.status == .failed || session.status == .archived {
            throw .unprocessable("Cannot follow up", "A \(session.status.rawValue) session takes no follow-up.")
        }
        let goal = try newGoal(call)
        recordHuman(words, in: session.id, call, entryPoint: "oauth.follow_up")
        let isBusy = session.turn != nil || session.status == .running
        if isBusy, !call.flag("force_immediate") {
            let message = enqueue(words, goal: goal, for: session.id)
            return .json(
                [
                    "session": sessions.encodedRow(session.id, at: now), "message": "Session is busy; message queued",
                    "enqueued_message": message.receipt,
                ], status: 202)
        }
        deliver(words, to: session.id)
        let touches = agent.followUpsTouch
        edit(session.id) { session, now in
            if let goal { session.goal = goal }
            if touches { session.lastUserActivityAt = now }
        }
        return answer(session.id, message: "Follow-up prompt sent")
    }

    /// A goal of one word has to be in the catalog; several words are free text.
    private func newGoal(_ call: Call) throws(Refusal) -> String? {
        guard let goal = call.text("goal") else { return nil }
        guard goal.contains(" ") || goal == "green-pr" else { throw .invalid("Goal is unknown") }
        return goal
    }

    /// What arrives through an acting sign-in is that person's word; an API key never speaks for anyone.
    private mutating func recordHuman(_ words: String, in id: Int, _ call: Call, entryPoint: String) {
        guard call.credential == .token(actsForPerson: true) else { return }
        let message = HumanMessage(author: person, entryPoint: entryPoint, content: words, occurredAt: now)
        edit(id) { session, now in
            session.humanMessages.append(message)
            session.lastUserActivityAt = now
        }
    }

    mutating func archiveSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard session.status != .archived else {
            throw .unprocessable("Cannot trash", "The session is already in the trash.")
        }
        let pending = pendingMessages(of: session.id).count
        guard pending == 0 || call.flag("force") else {
            throw .unprocessable(
                "Queued messages would be discarded",
                "\(pending) queued messages would be discarded. Send force: true to discard them.")
        }
        guard session.status != .running || call.flag("end_turn") || call.flag("force") else {
            throw .unprocessable("A turn is in flight", "A turn is running in this session.")
        }
        archive(session.id)
        return answer(
            session.id, message: "Session moved to trash", ("trash_after", JSON(sessions[session.id]?.trashAfter)))
    }

    /// Into the trash: its inbox rows are gone, its queue is undelivered, its turn is over.
    package mutating func archive(_ id: Int) {
        edit(id) { session, now in
            session.status = .archived
            session.turn = nil
            session.archivedAt = now
            session.trashAfter = session.runtimeSessionID == nil ? nil : now + .days(4)
            session.metadata["blocked_on_elicitation"] = nil
        }
        notifications.removeAll { $0.sessionID == id }
        for index in queue.indices where queue[index].sessionID == id && queue[index].status == .pending {
            queue[index].status = .undelivered
        }
    }

    mutating func unarchiveSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard session.status == .archived else {
            throw .unprocessable("Cannot restore", "The session is not in the trash.")
        }
        let restored = session.trashAfter.map { $0 > now } ?? false
        edit(session.id) { session in
            session.status =
                session.failureReason != nil ? .failed : session.runtimeSessionID == nil ? .waiting : .needsInput
            session.archivedAt = nil
            session.trashAfter = nil
        }
        return answer(session.id, message: "Session restored", ("clone_restored", .bool(restored)))
    }

    mutating func pauseSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard session.status == .running else {
            throw .unprocessable("Cannot pause", "Only running sessions can be paused.")
        }
        edit(session.id) { session in
            session.status = .needsInput
            session.turn = nil
            session.metadata["paused_by"] = "user"
        }
        if !pendingMessages(of: session.id).isEmpty {
            agenda.plan(.deliversQueue(session: session.id), at: now + agent.queueDelivery)
        }
        return answer(session.id)
    }

    mutating func restartSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard [.failed, .waiting, .needsInput].contains(session.status) else {
            throw .unprocessable(
                "Cannot restart", "Only failed, waiting or needs_input sessions can be restarted.")
        }
        deliver("Continue where you left off.", to: session.id, keepsPrompt: true)
        return answer(session.id, message: "Session restarted")
    }

    mutating func sleepSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        switch session.status {
        case .needsInput:
            edit(session.id) { session, now in
                session.status = .waiting
                session.metadata["deliberate_sleep_at"] = JSON(now)
            }
        case .running: edit(session.id) { $0.metadata["pending_sleep"] = true }
        default: throw .unprocessable("Cannot sleep", "Only running or needs_input sessions can sleep.")
        }
        return answer(session.id)
    }

    mutating func startSessionNow(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard session.status == .waiting, session.metadata["deliberate_sleep_at"] == nil else {
            throw .unprocessable("Cannot start", "Only a waiting session with a turn queued can be started.")
        }
        guard session.turn != nil || session.runtimeSessionID == nil else {
            throw .unprocessable("Nothing queued", "No turn is queued.")
        }
        let turn = session.turn ?? newTurn(prompt: session.prompt ?? "")
        edit(session.id) { $0.turn = turn }
        agenda.plan(.turnStarts(session: session.id, turn: turn.number), at: now)
        return answer(session.id, message: "Session started", ("outcome", "started"))
    }

    func refreshSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard session.runtimeSessionID != nil else {
            throw .unprocessable("Cannot refresh", "The session has no transcript.")
        }
        return .json(["session": session.json(at: now, as: generation), "message": "Session refreshed"])
    }

    mutating func setNotes(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let notes = call.parameter("session_notes"), notes == .null || notes.text != nil else {
            throw .invalid("Session notes is required")
        }
        guard (notes.text ?? "").unicodeScalars.count <= 50_000 else {
            throw .unprocessable("Too long", "Session notes are limited to 50,000 characters.")
        }
        edit(session.id) { session, now in
            session.notes = notes.text
            session.notesUpdatedAt = now
        }
        return answer(session.id, ("session_notes_updated_at", JSON(now)))
    }

    mutating func toggleFavorite(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        edit(session.id) { $0.favorited.toggle() }
        return answer(session.id, ("favorited", .bool(!session.favorited)))
    }

    mutating func setHeartbeat(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        let interval = call.integer("interval_seconds") ?? session.heartbeatIntervalSeconds
        guard (30...86_400).contains(interval) else { throw .invalid("Interval must be between 30 and 86400") }
        edit(session.id) { session in
            session.heartbeatEnabled = call.flag("enabled")
            session.heartbeatIntervalSeconds = interval
        }
        return answer(
            session.id, ("heartbeat_enabled", .bool(call.flag("enabled"))),
            ("heartbeat_interval_seconds", .int(interval)))
    }

    mutating func setModel(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let model = call.text("model") else { throw .invalid("Model is required") }
        edit(session.id) { $0.model = model }
        return answer(session.id)
    }

    /// The session as it is now, and what the action has to say.
    func answer(_ id: Int, message: String? = nil, _ extra: (String, JSON)...) -> HTTPResponse {
        var body: JSON = ["session": sessions[id]?.json(at: now, as: generation) ?? .null]
        if let message { body["message"] = .string(message) }
        for (name, value) in extra { body[name] = value }
        return .json(body)
    }
}

extension String {
    /// Without white space at either end.
    var trimmingWhitespace: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

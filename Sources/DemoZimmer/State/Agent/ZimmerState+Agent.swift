/// The agents behind the sessions: how turns begin, run and end.
extension ZimmerState {
    /// Hands words to an idle session: it waits for a worker, with the turn queued.
    mutating func deliver(_ text: String, to id: Int, keepsPrompt: Bool = false) {
        let turn = newTurn(prompt: text)
        edit(id) { session, now in
            session.status = .waiting
            session.turn = turn
            if !keepsPrompt { session.prompt = text }
            session.conversation.append(ConversationMessage(role: "user", content: text, timestamp: now))
            session.transcriptLineCount += 1
            for key in Self.endedByTurn { session.metadata[key] = nil }
        }
        for index in notifications.indices where notifications[index].sessionID == id {
            notifications[index].isStale = true
        }
        // The first versions handed no turn over: the session ran at once.
        guard generation != .august else { return startTurn(turn.number, of: id) }
        agenda.plan(.turnStarts(session: id, turn: turn.number), at: now + agent.pickUp)
    }

    /// Bookkeeping that a new turn makes untrue.
    private static let endedByTurn = [
        "failure_reason", "exception_class", "exception_message", "paused_by", "deliberate_sleep_at", "pending_sleep",
        "spot_hold_at", "spot_hold_reason", "spot_hold_detail", "spot_hold_retry_at", "spot_hold_count",
        "spot_hold_turn", "auth_outage_reason", "auth_outage_parked_at", "auth_outage_pool_recovers_at",
    ]

    mutating func apply(_ happening: Agenda.Happening) {
        switch happening {
        case .turnStarts(let id, let number): startTurn(number, of: id)
        case .turnEnds(let id, let number): endTurn(number, of: id)
        case .spends(let id, let number): spend(during: number, of: id)
        case .deliversQueue(let id): deliverNextQueued(to: id)
        case .noticesRest(let id, let restedAt): noticeRest(of: id, restedAt: restedAt)
        case .snoozeEnds(let id): sessions.touch(id)
        case .sweepEnds: ledger.sweep(at: now)
        case .change(let change): apply(change)
        }
    }

    /// A worker takes a new turn of the session at once.
    package mutating func startTurn(of id: Int) {
        let turn = newTurn(prompt: sessions[id]?.prompt ?? "")
        edit(id) { session in
            session.status = .waiting
            session.turn = turn
        }
        startTurn(turn.number, of: id)
    }

    private mutating func startTurn(_ number: Int, of id: Int) {
        guard let session = sessions[id], session.turn?.number == number, session.status == .waiting else { return }
        edit(id) { session in
            session.status = .running
            session.runtimeSessionID = session.runtimeSessionID ?? uuid(of: "runtime", id)
        }
        agenda.plan(.turnEnds(session: id, turn: number), at: now + (session.turnLength ?? agent.turn))
        agenda.plan(.spends(session: id, turn: number), at: now + .minutes(3))
    }

    private mutating func endTurn(_ number: Int, of id: Int) {
        guard let session = sessions[id], let turn = session.turn, turn.number == number, session.status == .running
        else { return }
        let outcome = session.script.first ?? agent.outcome
        if !session.script.isEmpty { edit(id) { _ = $0.script.removeFirst() } }
        switch outcome {
        case .keepsRunning: return
        case .fails(let reason): fail(id, reason: reason)
        case .rests(let text): rest(id, saying: text)
        case .opensPullRequest(let number): openPullRequest(number, in: id)
        case .mergesAndArchives: mergeAndArchive(id)
        case .archivesItself: archive(id)
        case .obliges: oblige(turn, in: session)
        }
    }

    /// Does as it was told. Only a person's authorization lets it merge, and only what can be merged.
    private mutating func oblige(_ turn: Turn, in session: Session) {
        guard turn.prompt.lowercased().contains("merge"), let pull = session.lastPullRequest, pull.state == .open else {
            return rest(session.id, saying: "Done. Nothing else is open on my side.")
        }
        guard pull.authorization != nil else {
            return rest(session.id, saying: "I do not merge my own pull requests: a person has to authorize it.")
        }
        guard pull.canBeMerged else {
            let obstacle = pull.hasConflict ? "it conflicts with main" : "its checks have not passed"
            return rest(session.id, saying: "I could not merge \(pull.url): \(obstacle).")
        }
        mergeAndArchive(session.id)
    }

    /// The turn is over and the session waits for words; a queued message follows shortly.
    mutating func rest(_ id: Int, saying text: String) {
        let sleeps = sessions[id]?.metadata["pending_sleep"]?.flag == true
        edit(id) { session, now in
            session.status = sleeps ? .waiting : .needsInput
            session.turn = nil
            session.transcriptLineCount += 40
            session.conversation.append(ConversationMessage(role: "assistant", content: text, timestamp: now))
            session.statusSummary = .statusSummary(text, at: now)
            session.metadata["pending_sleep"] = nil
            if sleeps { session.metadata["deliberate_sleep_at"] = JSON(now) }
        }
        if queue.contains(where: { $0.sessionID == id && $0.status == .pending }) {
            agenda.plan(.deliversQueue(session: id), at: now + agent.queueDelivery)
        }
        if sessions[id]?.pushesWhenResting == true {
            agenda.plan(.noticesRest(session: id, restedAt: now), at: now + agent.restNotice)
        }
    }

    mutating func fail(_ id: Int, reason: String?) {
        edit(id) { session in
            session.status = .failed
            session.turn = nil
            session.failureReason = reason
        }
        log("Session failed: \(reason ?? "no reason recorded")", level: "error", in: id)
        notify("session_failed", about: id)
    }

    mutating func openPullRequest(_ number: Int, in id: Int) {
        guard let session = sessions[id] else { return }
        let repository = session.repository ?? "example/widgets"
        edit(id) { session, now in
            session.pullRequests.append(PullRequest(repository: repository, number: number, ci: .pending))
            session.pullRequestsReadAt = now
        }
        rest(id, saying: "https://github.com/\(repository)/pull/\(number) is open. CI is running.")
    }

    private mutating func mergeAndArchive(_ id: Int) {
        edit(id) { session, now in
            guard let last = session.pullRequests.indices.last else { return }
            session.pullRequests[last].state = .merged
            session.conversation.append(
                ConversationMessage(role: "assistant", content: "Merged. Archiving myself.", timestamp: now))
        }
        archive(id)
    }

    private mutating func deliverNextQueued(to id: Int) {
        guard let session = sessions[id], session.status == .needsInput else { return }
        let next = queue.indices.filter { queue[$0].sessionID == id && queue[$0].status == .pending }
            .min { queue[$0].position < queue[$1].position }
        guard let next else { return }
        let message = queue.remove(at: next)
        renumberQueue(of: id)
        deliver(message.content, to: id)
    }

    private mutating func noticeRest(of id: Int, restedAt: ServerTime) {
        guard let session = sessions[id], session.status == .needsInput,
            session.conversation.last?.timestamp == restedAt
        else { return }
        notify("needs_input", about: id)
    }

    private mutating func spend(during number: Int, of id: Int) {
        guard let session = sessions[id], session.turn?.number == number, session.status == .running else { return }
        ledger.add(
            Spend(
                at: now, usd: session.costPerQuarter, root: session.agentRoot ?? "widgets", model: session.model,
                runtime: session.agentRuntime, sessionID: id))
        agenda.plan(.spends(session: id, turn: number), at: now + .minutes(15))
    }
}

extension JSON {
    fileprivate static func statusSummary(_ text: String, at time: ServerTime) -> JSON {
        [
            "summary": .string(text), "generated_at": JSON(time), "messages_since_generated": 0, "state": "ready",
            "generating": false, "error": .null,
        ]
    }
}

extension Session {
    /// `owner/name` of the repository it works in.
    var repository: String? {
        guard let gitRoot, let range = gitRoot.firstRange(of: "github.com/") else { return nil }
        let path = gitRoot[range.upperBound...]
        return path.hasSuffix(".git") ? String(path.dropLast(4)) : String(path)
    }
}

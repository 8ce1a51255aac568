extension ZimmerState {
    /// Carries out a change. One that what happened meanwhile made impossible comes to nothing: the day is written
    /// down, but whoever uses the server acts in it too.
    package mutating func apply(_ change: Change) {
        switch change {
        case .starts(let plan): start(plan)
        case .triggerFires(let id, let plan): fire(trigger: id, plan)
        case .willEnd(let id, let outcomes): edit(id) { $0.script = outcomes }
        case .rests(let id, let text): if isActive(id) { rest(id, saying: text) }
        case .fails(let id, let reason): if isActive(id) { fail(id, reason: reason) }
        case .isHeld(let id, let detail): hold(id, detail: detail)
        case .ci, .conflict, .merged: applyToPullRequest(change)
        case .says, .authorizesMerge, .restarts, .archives, .unsnoozes, .renames, .favors, .answers: applyPerson(change)
        case .asks(let id, let question, let tool): if isActive(id) { elicit(question, tool: tool, in: id) }
        case .recoveryBegins(let reason, let duration):
            recovery.enter(reason: reason, by: person, for: duration, at: now)
        case .recoveryEnds: recovery.exit()
        case .egressFails(let detail): egressProblem = EgressProblem(since: now, detail: detail)
        case .egressRecovers: egressProblem = nil
        case .triggerFails(let id, let error): failTrigger(id, error: error)
        case .tool(let name, let isAuthenticated):
            for index in tools.indices where tools[index].name == name {
                tools[index].isAuthenticated = isAuthenticated
            }
        case .spends(let usd, let root, let model): ledger.add(Spend(at: now, usd: usd, root: root, model: model))
        }
    }

    /// Waiting for a worker or at work.
    private func isActive(_ id: Int) -> Bool {
        [.waiting, .running].contains(sessions[id]?.status)
    }

    private mutating func start(_ plan: SessionPlan) {
        addSession(id: plan.id, title: plan.title, status: .waiting) { session in
            session.agentRoot = plan.root
            session.gitRoot = "https://github.com/example/\(plan.root).git"
            session.model = plan.model
            session.agentRuntime = plan.runtime
            session.genesis = plan.genesis
            session.goal = plan.goal
            session.turnLength = plan.turnLength
            session.script = plan.script
            session.costPerQuarter = plan.costPerQuarter
            session.pushesWhenResting = plan.pushesWhenResting
            if plan.genesis != "web_ui" { session.lastUserActivityAt = nil }
        }
        deliver(sessions[plan.id]?.prompt ?? plan.title, to: plan.id)
    }

    private mutating func fire(trigger id: Int, _ plan: SessionPlan) {
        guard let index = triggers.firstIndex(where: { $0.id == id }), triggers[index].status == "enabled" else {
            return
        }
        start(plan)
        edit(plan.id) { $0.metadata["trigger_id"] = .int(id) }
        triggers[index].sessionIDs.append(plan.id)
        triggers[index].lastTriggeredAt = now
    }

    private mutating func failTrigger(_ id: Int, error: String) {
        guard let index = triggers.firstIndex(where: { $0.id == id }) else { return }
        triggers[index].status = "failed"
        triggers[index].failedAt = now
        triggers[index].lastError = error
    }

    private mutating func hold(_ id: Int, detail: String) {
        guard isActive(id) else { return }
        edit(id) { session, now in
            session.status = .waiting
            session.turn = nil
            session.metadata["spot_hold_at"] = JSON(now)
            session.metadata["spot_hold_reason"] = "at_utilization_limit"
            session.metadata["spot_hold_detail"] = .string(detail)
            session.metadata["spot_hold_retry_at"] = JSON(now + .minutes(10))
            session.metadata["spot_hold_count"] = 1
            session.metadata["spot_hold_turn"] = "resume"
        }
    }

    /// The pollers write these, and they pass by failed and archived sessions.
    private mutating func applyToPullRequest(_ change: Change) {
        switch change {
        case .ci(let id, let ci): editPullRequest(of: id) { $0.ci = ci }
        case .conflict(let id, let conflicts): editPullRequest(of: id) { $0.hasConflict = conflicts }
        case .merged(let id): editPullRequest(of: id) { $0.state = .merged }
        default: break
        }
    }

    private mutating func editPullRequest(of id: Int, _ edit: (inout PullRequest) -> Void) {
        guard let session = sessions[id], session.status != .failed, session.status != .archived,
            let last = session.pullRequests.indices.last
        else { return }
        self.edit(id) { session, now in
            edit(&session.pullRequests[last])
            session.pullRequestsReadAt = now
        }
    }

    /// What a person does at the web page.
    private mutating func applyPerson(_ change: Change) {
        switch change {
        case .says(let id, let words): say(words, to: id)
        case .authorizesMerge(let id):
            if sessions[id]?.lastPullRequest?.state == .open, sessions[id]?.status != .archived {
                authorizeMerge(in: id, by: person)
            }
        case .restarts(let id):
            guard sessions[id]?.status == .failed else { return }
            edit(id) { $0.lastUserActivityAt = $1 }
            deliver("Continue where you left off.", to: id, keepsPrompt: true)
        case .archives(let id): if let status = sessions[id]?.status, status != .archived { archive(id) }
        case .unsnoozes(let id):
            edit(id) { session in
                session.visibility = .visible
                session.snoozedUntil = nil
            }
        case .renames(let id, let title): edit(id) { $0.title = title }
        case .favors(let id): edit(id) { $0.favorited = true }
        case .answers(let id):
            let open = elicitations.firstIndex { $0.sessionID == id && $0.status == .pending }
            if let open { answer(elicitationAt: open, .accept, content: ["confirm": true]) }
        default: break
        }
    }

    /// A person's follow-up: the words, and the proof of whose they are.
    package mutating func say(_ words: String, to id: Int) {
        guard let session = sessions[id], session.status != .failed, session.status != .archived else { return }
        let message = HumanMessage(
            author: person, entryPoint: "web_ui.follow_up", content: words, occurredAt: now)
        edit(id) { session, now in
            session.humanMessages.append(message)
            session.lastUserActivityAt = now
        }
        if session.turn == nil, session.status != .running { deliver(words, to: id) } else { enqueue(words, for: id) }
    }
}

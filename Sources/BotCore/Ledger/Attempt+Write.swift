import CEL
import Rules

extension Attempt {
    /// The call to make; nil when what it is to is already as wanted.
    func zimmerWrite(on target: TargetReading) -> ZimmerWrite? {
        let id = request.target.id ?? 0
        switch request.kind {
        case .followUp(let prompt, let goal): return .followUp(session: id, prompt: "\(mark) \(prompt)", goal: goal)
        case .start(let members): return .start(members, key: key)
        case .restart: return .restart(session: id)
        case .pause: return .pause(session: id)
        case .sleep: return .sleep(session: id)
        case .startNow: return .startNow(session: id)
        case .refresh: return .refresh(session: id)
        case .archive: return .archive(session: id)
        case .unarchive: return .unarchive(session: id)
        case .snooze(let until): return .visibility(session: id, .snoozed(until: until))
        case .hide: return .visibility(session: id, .hidden)
        case .show: return .visibility(session: id, .visible)
        case .set(let members): return .set(session: id, members)
        case .replaceNote(let text): return .notes(session: id, text: text)
        case .appendNote(let text):
            let before = target.session?.notes ?? ""
            return .notes(session: id, text: before.isEmpty ? text : before + "\n" + text)
        case .favorite(let wanted): return target.flag("favorited") == wanted ? nil : .toggleFavorite(session: id)
        case .heartbeat(let members): return .heartbeat(session: id, members)
        case .model(let name): return .model(session: id, name)
        case .log(let text, let level): return .log(session: id, text: "\(mark) \(text)", level: level)
        case .push(let message): return .push(session: id, message)
        case .markRead: return target.flag("read") == true ? nil : .markRead(notification: id)
        case .dismiss: return .dismiss(notification: id)
        case .markAllRead: return .markAllRead()
        case .trigger(let enabled): return target.isTriggerEnabled == enabled ? nil : .toggle(trigger: id)
        case .invoke(let variables): return .invoke(trigger: id, variables: variables)
        case .answer(let action, let content): return .respond(elicitation: id, action: action, content: content)
        case .retryFailed: return .retry(sessions: [id])
        case .cleanUpProcesses: return .cleanUpProcesses()
        case .enterRecovery(let reason, let minutes): return .enterRecovery(reason: reason, minutes: minutes)
        case .exitRecovery: return .exitRecovery()
        case .backfillCosts: return .backfillCosts()
        // A person's, and not of this client.
        case .authorizeMerge: return nil
        }
    }

    /// By which Zimmer recognises a session that was asked for before: the mark without its brackets.
    var key: String { String(mark.dropFirst().dropLast()).replacing(" ", with: "-") }

    /// Whether what it is to is as the call wanted it.
    func isInEffect(on target: TargetReading) -> Bool {
        switch request.kind {
        // Zimmer keeps whole seconds.
        case .snooze(let until):
            target.text("visibility") == "snoozed" && target.time("snoozed_until")?.seconds == until.seconds
        case .hide: target.text("visibility") == "hidden"
        case .show: target.text("visibility") == "visible"
        case .archive: target.text("status") == "archived"
        case .unarchive: target.session.map { $0.status != "archived" } ?? false
        case .restart(let from): target.session.map { !from.contains($0.status) } ?? false
        case .retryFailed, .startNow, .pause:
            target.session.map { !request.kind.startingStatuses.contains($0.status) } ?? false
        case .sleep: target.text("status") == "waiting" || target.session?.isGoingToSleep == true
        case .set(let members): members.allSatisfy { $0.isInEffect(on: target) }
        case .heartbeat(let members):
            members.allSatisfy { WireMember("heartbeat_\($0.name)", $0.value).isInEffect(on: target) }
        case .model(let name): target.text("model") == name
        case .replaceNote(let text): target.session?.notes.trimmedLike(text) ?? false
        case .appendNote(let text): (target.session?.notes.count(ofLines: text) ?? 0) > (request.standing ?? 0)
        case .favorite(let wanted): target.flag("favorited") == wanted
        case .authorizeMerge: target.session?.isMergeAuthorized ?? false
        case .markRead: target.flag("read") == true
        case .trigger(let enabled): target.isTriggerEnabled == enabled
        case .followUp, .log, .push, .start, .invoke, .refresh, .dismiss, .markAllRead, .answer, .cleanUpProcesses,
            .enterRecovery, .exitRecovery, .backfillCosts:
            false
        }
    }
}

extension WriteRequest.Kind {
    /// Where it makes sense; empty where that is not a question of status.
    var startingStatuses: [String] {
        switch self {
        case .archive(let from), .restart(let from): from
        case .pause: ["running"]
        case .sleep: ["needs_input", "running"]
        case .startNow: ["waiting"]
        case .unarchive: ["archived"]
        case .retryFailed: ["failed"]
        default: []
        }
    }
}

extension WriteRequest {
    /// Why this must not be done as things are.
    func objection(to target: TargetReading) -> LastLook? {
        switch target {
        case .session(let session): objection(to: session)
        case .row(let row): objection(to: row)
        case .zimmer: nil
        }
    }

    private func objection(to session: SessionReading) -> LastLook? {
        guard session.knownStatus != nil else { return .wait("the status '\(session.status)' is not known") }
        guard session.isVisibilityKnown else { return .wait("the visibility is not known") }
        let statuses = kind.startingStatuses
        guard statuses.isEmpty || statuses.contains(session.status) else {
            return .withdrawn("the session is \(session.status)")
        }
        return switch kind {
        case .appendNote where session.isUnreadable("session_notes"): .wait("the notes cannot be read")
        case .favorite where session.flag("favorited") == nil: .wait("whether it has a star is not known")
        case .authorizeMerge: session.objectionToMerging.map { .withdrawn($0) }
        default: nil
        }
    }

    private func objection(to row: Object) -> LastLook? {
        let target = TargetReading.row(row)
        return switch kind {
        case .trigger where target.isTriggerEnabled == nil: .wait("whether the trigger is on is not known")
        case .dismiss where target.flag("read") == false:
            .withdrawn("it is unread, and Zimmer dismisses only what is read: put 'mark_read' before")
        case .markRead where target.flag("read") == nil: .wait("whether it is read is not known")
        case .answer where target.time("expires_at") == nil: .wait("when the question expires is not known")
        default: nil
        }
    }
}

extension TargetReading {
    /// Whether a trigger fires by itself; one that failed does not. Nil where Zimmer says something unknown.
    var isTriggerEnabled: Bool? {
        switch text("status") {
        case "enabled": true
        case "disabled", "failed": false
        default: nil
        }
    }
}

extension WireMember {
    fileprivate func isInEffect(on target: TargetReading) -> Bool {
        // Where it ends up depends on the others.
        if name == "place" { return false }
        switch (value, target[name]) {
        case (.text(let text), .string(let found)?): return text.trimmedLike(found)
        case (.text(""), .null?): return true
        case (.integer(let number), .int(let found)?): return number == found
        case (.flag(let flag), .bool(let found)?): return flag == found
        default: return false
        }
    }
}

extension SessionReading {
    func text(_ field: String) -> String? {
        if case .string(let text) = object[field] { text } else { nil }
    }

    func time(_ field: String) -> Timestamp? {
        if case .timestamp(let time) = object[field] { time } else { nil }
    }

    func flag(_ field: String) -> Bool? {
        if case .bool(let flag) = object[field] { flag } else { nil }
    }

    /// What Zimmer sent is not what this field holds.
    func isUnreadable(_ field: String) -> Bool {
        if case .error = object[field] { true } else { false }
    }

    var notes: String { text("session_notes") ?? "" }

    /// It sleeps when its turn is over.
    fileprivate var isGoingToSleep: Bool {
        guard case .map(let metadata) = object["metadata"], case .bool(true)? = metadata[key: .string("pending_sleep")]
        else {
            return false
        }
        return true
    }

    private var pull: Object? {
        if case .object(let pull) = object["pr"] { pull } else { nil }
    }

    fileprivate var isMergeAuthorized: Bool {
        if case .bool(true)? = pull?["authorized"] { true } else { false }
    }

    /// Why Zimmer would not take a person's word for merging; it says the same, later.
    fileprivate var objectionToMerging: String? {
        guard let pull, case .string(let state) = pull["state"], case .string(let ci) = pull["ci"] else {
            return "it has no pull request that can be read"
        }
        if state != "open" { return "the pull request is \(state)" }
        return ci == "pass" ? nil : "CI is \(ci)"
    }

    /// As rules see it where nothing may rest on pull requests: naming one is an error with this reason.
    func withoutPullRequests(_ reason: String) -> Object {
        let unreadable = Value.error(EvaluationError(.unavailable, reason))
        let slots = zip(object.type.fields, object.slots).map { field, value in
            field.name == "pr" || field.name == "prs" ? unreadable : value
        }
        return Object(object.type, slots)
    }
}

extension Subject {
    /// Since when the checks of a session's newest pull request read as they do; nil for what has none.
    var checksSince: Timestamp? {
        var session = value
        if case .object(let own) = value["session"] { session = own }
        guard session.type == WorldSchema.session, case .object(let pull) = session["pr"],
            case .timestamp(let since) = pull["ci_since"]
        else { return nil }
        return since
    }
}

extension PreparedRule {
    /// Its condition or its steps read a session's pull requests.
    var namesPullRequests: Bool {
        references.contains { $0.path.contains("pr") || $0.path.contains("prs") }
    }

    /// They read the state of checks.
    var namesChecks: Bool {
        references.contains { $0.path.contains("ci") }
    }
}

extension String {
    /// Equal but for white space at the ends, which a server may cut.
    func trimmedLike(_ other: String) -> Bool {
        func trimmed(_ text: String) -> Substring {
            let start = text.drop(while: \.isWhitespace)
            return start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count)
        }
        return trimmed(self).utf8.elementsEqual(trimmed(other).utf8)
    }
}

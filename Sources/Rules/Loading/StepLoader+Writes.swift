import CEL

/// Steps that change something in Zimmer.
extension StepLoader {
    /// - Parameters:
    ///   - value: nil for a bare word.
    ///   - session: what stands beside it under that name.
    func write(_ action: YAMLEntry, _ value: YAMLEntry?, session: YAMLEntry?) -> Write? {
        let loaded: Write?
        if let value, Language.wordSteps.contains(action.key) {
            report.error("'\(action.key)' takes no value", at: value.value.range)
            loaded = nil
        } else {
            loaded = written(action, value)
        }
        var hasTarget = session != nil
        if let value, Addressee(step: action.key) != .session || action.key == "push" {
            hasTarget = hasTarget || names(value)
        }
        checkTarget(of: action, isNamed: hasTarget)
        guard var write = loaded else { return nil }
        if let session, write.id != nil {
            report.error("'\(action.key)' names its session already", at: session.keyRange)
        }
        if let session { write.id = id(session, "the id of a session") }
        return write
    }

    /// Its map says what it is to.
    private func names(_ value: YAMLEntry) -> Bool {
        guard case .mapping(let entries) = value.value.content else { return false }
        return entries.contains { $0.key == "id" || $0.key == "session" }
    }

    private func checkTarget(of action: YAMLEntry, isNamed: Bool) {
        guard !isNamed else { return }
        let addressee = Addressee(step: action.key)
        switch addressee {
        case .zimmer: return
        case .session:
            guard watchable?.hasSession != true, !isCommand else { return }
            report.error(
                "'\(action.key)' writes to a session, and this rule has none: name one with 'session: ID'",
                at: action.keyRange)
        case .notification, .trigger, .elicitation:
            guard watchable?.name != addressee.rawValue else { return }
            let way =
                action.key == "mark_read" || action.key == "dismiss"
                ? "'\(action.key): {id: ID}'" : "'id' in its map"
            report.error(
                "'\(action.key)' goes with 'watch: \(addressee.rawValue)'; elsewhere name one with \(way)",
                at: action.keyRange)
        }
    }

    private func id(_ entry: YAMLEntry, _ what: String) -> Argument<Int64>? {
        if let program = expressions.wholeExpression(entry, accepts: [.int], what) {
            return program.map { .expression($0) }
        }
        return report.integer(entry, in: 1...Int.max).map { .constant(Int64($0)) }
    }

    private func written(_ action: YAMLEntry, _ value: YAMLEntry?) -> Write? {
        switch (action.key, value) {
        case ("hide", _): Write(kind: .hide)
        case ("show", _): Write(kind: .show)
        case ("unarchive", _): Write(kind: .unarchive)
        case ("pause", _): Write(kind: .pause)
        case ("sleep", _): Write(kind: .sleep)
        case ("start_now", _): Write(kind: .startNow)
        case ("refresh", _): Write(kind: .refresh)
        case ("mark_all_read", _): Write(kind: .markAllRead)
        case ("authorize_merge", _): Write(kind: .authorizeMerge)
        case ("retry_failed", _): Write(kind: .retryFailed)
        case ("cleanup_processes", _): Write(kind: .cleanUpProcesses)
        case ("exit_recovery", _): Write(kind: .exitRecovery)
        case ("backfill_costs", _): Write(kind: .backfillCosts)
        case ("archive", let value):
            from(["needs_input", "failed"], value).map { Write(kind: .archive(from: $0)) }
        case ("restart", let value): from(["failed"], value).map { Write(kind: .restart(from: $0)) }
        case ("mark_read", let value): identified(value, .markRead)
        case ("dismiss", let value): identified(value, .dismiss)
        case ("invoke", let value): invoke(value)
        case (_, let value?): written(action.key, value)
        case (_, nil): nil
        }
    }

    private func written(_ word: String, _ value: YAMLEntry) -> Write? {
        switch word {
        case "follow_up": followUp(value)
        case "start": start(value)
        case "snooze": snooze(value)
        case "set": set(value)
        case "note": note(value)
        case "favorite": flag(value).map { Write(kind: .favorite($0)) }
        case "heartbeat": heartbeat(value)
        case "model": words(value).map { Write(kind: .model($0)) }
        case "log": log(value)
        case "push": push(value)
        case "trigger": trigger(value)
        case "answer": answer(value)
        case "enter_recovery": enterRecovery(value)
        default: nil
        }
    }

    private func fields(_ entry: YAMLEntry, _ keys: Language.Keys) -> Fields? {
        if case .scalar = entry.value.content {
            report.error(
                "'\(entry.key)' takes a map: write '\(entry.key): {\(keys.known[0]): …}'",
                at: entry.value.range.prefix(1))
            return nil
        }
        return Fields(entry.value, of: "'\(entry.key)'", keys, report)
    }

    private func fields(_ entry: YAMLEntry, _ keys: String...) -> Fields? {
        fields(entry, Language.Keys(known: keys))
    }

    // MARK: - To sessions

    /// - Parameter usual: the statuses from which it is done without a word.
    private func from(_ usual: [String], _ entry: YAMLEntry?) -> [String]? {
        guard let entry else { return usual }
        guard let more = fields(entry, "from")?.required("from", ": [STATUS]").flatMap(report.elements) else {
            return nil
        }
        let statuses = Language.statuses.filter { $0 != "archived" }
        let chosen = more.compactMap { report.choice($0, statuses) }
        return usual + chosen.filter { !usual.contains($0) }
    }

    private func followUp(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "prompt", "goal") else { return nil }
        let goal = fields["goal"].flatMap(expressions.template)
        return fields.required("prompt").flatMap(words).map {
            Write(kind: .followUp(prompt: $0, goal: goal))
        }
    }

    private func start(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, Language.start) else { return nil }
        _ = fields.required("prompt", ": without one nothing runs")
        if !fields.has("agent_root"), !fields.has("git_root") {
            report.missing("'start' needs 'agent_root' or 'git_root': where it works", at: entry.keyRange)
        }
        if fields.has("agent_root"), let second = fields["git_root"] {
            report.error("'start' takes 'agent_root' or 'git_root', not both", at: second.keyRange)
        }
        checkPlacement(fields)
        return members(of: fields).map { Write(kind: .start($0)) }
    }

    private func set(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, Language.set) else { return nil }
        if fields.ordered.isEmpty {
            report.missing("'set' sets one of \(Language.set.known.joined(separator: ", "))", at: entry.keyRange)
        }
        checkPlacement(fields)
        return members(of: fields).map { Write(kind: .set($0)) }
    }

    private func checkPlacement(_ fields: Fields) {
        guard fields.has("precedence"), let place = fields["place"] else { return }
        report.error("'precedence' and 'place' say the same twice: take one", at: place.keyRange)
    }

    private func heartbeat(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, Language.heartbeat) else { return nil }
        _ = fields.required("enabled", ": true or false")
        return members(of: fields).map { Write(kind: .heartbeat($0)) }
    }

    private func note(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "append", "replace") else { return nil }
        switch (fields["append"], fields["replace"]) {
        case (let text?, nil): return expressions.template(text).map { Write(kind: .appendNote($0)) }
        case (nil, let text?): return expressions.template(text).map { Write(kind: .replaceNote($0)) }
        case (_?, let second?): report.error("'note' takes 'append' or 'replace', not both", at: second.keyRange)
        case (nil, nil): report.missing("'note' needs 'append' or 'replace'", at: entry.keyRange)
        }
        return nil
    }

    private func log(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "text", "level") else { return nil }
        let level = fields["level"].flatMap { report.choice($0, Language.logLevels) } ?? "info"
        return fields.required("text").flatMap(words).map { Write(kind: .log(text: $0, level: level)) }
    }

    private func push(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "message", "session") else { return nil }
        let session = fields["session"].flatMap { self.id($0, "the id of a session") }
        return fields.required("message").flatMap(words).map { Write(kind: .push($0), id: session) }
    }

    private func snooze(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "for", "until") else { return nil }
        switch (fields["for"], fields["until"]) {
        case (let length?, nil):
            return duration(length, atLeast: .seconds(1)).map { Write(kind: .snooze(.for($0))) }
        case (nil, let moment?): return self.moment(moment).map { Write(kind: .snooze(.until($0))) }
        case (_?, let second?): report.error("'snooze' takes 'for' or 'until', not both", at: second.keyRange)
        case (nil, nil): report.missing("'snooze' needs 'for' or 'until'", at: entry.keyRange)
        }
        return nil
    }

    private func moment(_ entry: YAMLEntry) -> Argument<LocalMoment>? {
        if let program = expressions.wholeExpression(entry, accepts: [.timestamp], "a time") {
            return program.map { .expression($0) }
        }
        let ways = "\"monday 09:00\", \"tomorrow 09:00\", \"2026-10-12 09:00\" or a timestamp"
        guard let text = report.text(entry, ways) else { return nil }
        guard let moment = LocalMoment(parsing: text) else {
            report.error("'until' takes \(ways), not '\(text)'", at: entry.value.range)
            return nil
        }
        return .constant(moment)
    }

    // MARK: - To other things

    private func identified(_ entry: YAMLEntry?, _ kind: Write.Kind) -> Write? {
        guard let entry else { return Write(kind: kind) }
        let given = fields(entry, "id")?.required("id").flatMap { self.id($0, "the id of a notification") }
        return given.map { Write(kind: kind, id: $0) }
    }

    private func trigger(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "enabled", "id") else { return nil }
        let id = fields["id"].flatMap { self.id($0, "the id of a trigger") }
        return fields.required("enabled", ": true or false").flatMap(flag).map {
            Write(kind: .trigger(enabled: $0), id: id)
        }
    }

    private func invoke(_ entry: YAMLEntry?) -> Write? {
        guard let entry else { return Write(kind: .invoke(variables: [])) }
        guard let fields = fields(entry, "variables", "id") else { return nil }
        let id = fields["id"].flatMap { self.id($0, "the id of a trigger") }
        guard let variables = fields["variables"] else { return Write(kind: .invoke(variables: []), id: id) }
        return self.fields(variables, Language.triggerVariables).flatMap(members).map {
            Write(kind: .invoke(variables: $0), id: id)
        }
    }

    private func answer(_ entry: YAMLEntry) -> Write? {
        if case .scalar = entry.value.content {
            let word = report.choice(entry, ["decline", "cancel", "accept"])
            return word.map {
                Write(kind: .answer($0 == "decline" ? .decline : $0 == "cancel" ? .cancel : .accept([])))
            }
        }
        guard let accept = fields(entry, "accept")?.required("accept"),
            let content = accept.value.map(as: "'accept'", report)
        else { return nil }
        let members = content.map { entry in anything(entry).map { Write.Member(name: entry.key, value: $0) } }
        let read = members.compactMap { $0 }
        return read.count == members.count ? Write(kind: .answer(.accept(read))) : nil
    }

    private func enterRecovery(_ entry: YAMLEntry) -> Write? {
        guard let fields = fields(entry, "reason", "ttl") else { return nil }
        let ttl = fields["ttl"].flatMap { duration($0, atLeast: .seconds(300), atMost: .seconds(14_400)) }
        return fields.required("reason", ": people see it").flatMap(words).map {
            Write(kind: .enterRecovery(reason: $0, ttl: ttl))
        }
    }
}

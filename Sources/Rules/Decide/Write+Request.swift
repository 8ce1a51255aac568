package import CEL

extension Write {
    /// Fills in the values. Null or an error in any of them withdraws the step: a write is never made of half a text.
    package func request(
        subject: Subject?, _ activation: Activation, rule: Rule, now: Timestamp
    ) -> Result<WriteRequest, EvaluationError> {
        do throws(EvaluationError) {
            let target = try target(subject, activation)
            return .success(WriteRequest(name, to: target, kind: try filled(activation, rule: rule, now: now)))
        } catch {
            return .failure(error)
        }
    }

    private func target(_ subject: Subject?, _ activation: Activation) throws(EvaluationError) -> WriteTarget {
        if addressee == .zimmer { return .zimmer }
        if let id { return WriteTarget(addressee, try id.int(activation)) }
        if addressee == .session {
            if let session = subject?.session { return .session(session) }
        } else if let subject, subject.id.type == addressee.rawValue {
            guard let id = Int64(subject.id.id) else {
                throw EvaluationError(.unavailable, "Zimmer does not say which \(addressee.rawValue) it is")
            }
            return WriteTarget(addressee, id)
        }
        throw EvaluationError(.absent, "there is no \(addressee.rawValue) to write to")
    }

    private func filled(
        _ activation: Activation, rule: Rule, now: Timestamp
    ) throws(EvaluationError) -> WriteRequest.Kind {
        switch kind {
        case .followUp(let prompt, let goal):
            let goal = try goal.map { template throws(EvaluationError) in try template.text(activation) }
            return .followUp(prompt: try prompt.text(activation), goal: goal)
        case .start(let members): return .start(try members.filled(activation))
        case .restart(let from): return .restart(from: from)
        case .pause: return .pause
        case .sleep: return .sleep
        case .startNow: return .startNow
        case .refresh: return .refresh
        case .archive(let from): return .archive(from: from)
        case .unarchive: return .unarchive
        case .snooze(.for(let length)):
            return .snooze(until: now + (try length.duration(activation)))
        case .snooze(.until(let moment)):
            return .snooze(until: try moment.instant(activation, after: now, in: rule.timeZone))
        case .hide: return .hide
        case .show: return .show
        case .set(let members): return .set(try members.filled(activation))
        case .appendNote(let text): return .appendNote(try text.text(activation))
        case .replaceNote(let text): return .replaceNote(try text.text(activation))
        case .favorite(let value): return .favorite(try value.bool(activation))
        case .heartbeat(let members): return .heartbeat(try members.filled(activation))
        case .model(let name): return .model(try name.text(activation))
        case .log(let text, let level): return .log(text: try text.text(activation), level: level)
        case .push(let message): return .push(try message.text(activation))
        case .markRead: return .markRead
        case .dismiss: return .dismiss
        case .markAllRead: return .markAllRead
        case .trigger(let enabled): return .trigger(enabled: try enabled.bool(activation))
        case .invoke(let variables): return .invoke(variables: try variables.filled(activation))
        case .authorizeMerge: return .authorizeMerge
        case .answer(.accept(let content)): return .answer("accept", content: try content.filled(activation))
        case .answer(.decline): return .answer("decline", content: [])
        case .answer(.cancel): return .answer("cancel", content: [])
        case .retryFailed: return .retryFailed
        case .cleanUpProcesses: return .cleanUpProcesses
        case .enterRecovery(let reason, let ttl):
            let length = try ttl.map { argument throws(EvaluationError) in try argument.duration(activation) }
            return .enterRecovery(reason: try reason.text(activation), minutes: length.map(\.wholeMinutes))
        case .exitRecovery: return .exitRecovery
        case .backfillCosts: return .backfillCosts
        }
    }
}

extension Subject {
    /// The session that this is, or that it belongs to.
    package var session: Int64? {
        if id.type == "session" { return Int64(id.id) }
        if case .int(let session) = value["session_id"] { return session }
        return nil
    }
}

extension [Write.Member] {
    fileprivate func filled(_ activation: Activation) throws(EvaluationError) -> [WireMember] {
        var filled: [WireMember] = []
        for member in self { filled.append(WireMember(member.name, try member.value.filled(activation))) }
        return filled
    }
}

extension Write.Member.Value {
    fileprivate func filled(_ activation: Activation) throws(EvaluationError) -> WireMember.Value {
        switch self {
        case .text(let text): .text(try text.text(activation))
        case .integer(let value): .integer(try value.int(activation))
        case .flag(let value): .flag(try value.bool(activation))
        case .seconds(let value): .integer(try value.duration(activation).components.seconds)
        case .number(let number): .number(number)
        case .words(let words): .words(words)
        case .any(let program): try WireMember.Value(program.evaluate(activation))
        }
    }
}

extension WireMember.Value {
    fileprivate init(_ value: Value) throws(EvaluationError) {
        switch value {
        case .string(let text): self = .text(text)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .number(number)
        case .bool(let flag): self = .flag(flag)
        default: throw value.mismatch(wanted: "a text, a number or a bool")
        }
    }
}

extension Argument {
    /// - Parameters:
    ///   - wanted: what the value has to be, for the error.
    ///   - read: nil for a value of another type.
    private func value(
        _ activation: Activation, _ wanted: String, _ read: (Value) -> Constant?
    ) throws(EvaluationError) -> Constant {
        switch self {
        case .constant(let value): return value
        case .expression(let program):
            let value = program.evaluate(activation)
            guard let constant = read(value) else { throw value.mismatch(wanted: wanted) }
            return constant
        }
    }
}

extension Argument<Int64> {
    fileprivate func int(_ activation: Activation) throws(EvaluationError) -> Int64 {
        try value(activation, "an int") { if case .int(let number) = $0 { number } else { nil } }
    }
}

extension Argument<Bool> {
    fileprivate func bool(_ activation: Activation) throws(EvaluationError) -> Bool {
        try value(activation, "a bool") { if case .bool(let truth) = $0 { truth } else { nil } }
    }
}

extension Argument<Duration> {
    fileprivate func duration(_ activation: Activation) throws(EvaluationError) -> Duration {
        try value(activation, "a duration") { if case .duration(let length) = $0 { length } else { nil } }
    }
}

extension Argument<LocalMoment> {
    fileprivate func instant(
        _ activation: Activation, after now: Timestamp, in zone: String
    ) throws(EvaluationError) -> Timestamp {
        switch self {
        case .constant(let moment): return moment.next(after: now, in: zone)
        case .expression(let program):
            let value = program.evaluate(activation)
            if case .timestamp(let instant) = value { return instant }
            throw value.mismatch(wanted: "a timestamp")
        }
    }
}

extension Value {
    fileprivate func mismatch(wanted: String) -> EvaluationError {
        if case .error(let error) = self { return error }
        return EvaluationError(.invalidArgument, "needs \(wanted), got \(self.typeName)")
    }
}

extension Duration {
    /// Rounded up.
    fileprivate var wholeMinutes: Int64 { (components.seconds + 59) / 60 }
}

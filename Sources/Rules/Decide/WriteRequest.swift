package import CEL

/// A write with all its values filled in: what will be asked of Zimmer.
package struct WriteRequest: Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable, Codable {
        case followUp(prompt: String, goal: String?)
        case snooze(until: Timestamp)
        case hide
        case show
        case archive(from: [String])
        case appendNote(String)
        case replaceNote(String)
        case log(text: String, level: String)
        case favorite(Bool)
    }

    /// The step's word in the rules file.
    package var name: String
    package var session: Int64
    package var kind: Kind

    package init(_ name: String, session: Int64, kind: Kind) {
        self.name = name
        self.session = session
        self.kind = kind
    }

    /// What it takes from `zimmer.limit`.
    package var cost: Int {
        if case .followUp = kind { Write.spendingCost } else { 1 }
    }

    package var description: String {
        switch kind {
        case .followUp(let prompt, _): "follow_up session \(session): \(prompt)"
        case .snooze(let until): "snooze session \(session) until \(until.description)"
        case .hide: "hide session \(session)"
        case .show: "show session \(session)"
        case .archive: "archive session \(session)"
        case .appendNote(let text): "note session \(session): append \(text)"
        case .replaceNote(let text): "note session \(session): replace with \(text)"
        case .log(let text, let level): "log session \(session) (\(level)): \(text)"
        case .favorite(let value): "favorite session \(session): \(value)"
        }
    }
}

extension Write {
    /// Fills in the values. Null or an error in any of them withdraws the step: a write is never made of half a text.
    package func request(
        subject: Subject?, _ activation: Activation, rule: Rule, now: Timestamp
    ) -> Result<WriteRequest, EvaluationError> {
        do throws(EvaluationError) {
            let target = try session.map { argument throws(EvaluationError) in try argument.int(activation) }
            guard let session = target ?? subject?.session else {
                throw EvaluationError(.absent, "there is no session to write to")
            }
            return .success(WriteRequest(name, session: session, kind: try filled(activation, rule: rule, now: now)))
        } catch {
            return .failure(error)
        }
    }

    private func filled(
        _ activation: Activation, rule: Rule, now: Timestamp
    ) throws(EvaluationError) -> WriteRequest.Kind {
        switch kind {
        case .followUp(let prompt, let goal):
            let goal = try goal.map { template throws(EvaluationError) in try template.text(activation) }
            return .followUp(prompt: try prompt.text(activation), goal: goal)
        case .snooze(.for(let length)):
            return .snooze(until: now + (try length.duration(activation)))
        case .snooze(.until(let moment)):
            return .snooze(until: try moment.instant(activation, after: now, in: rule.timeZone))
        case .hide: return .hide
        case .show: return .show
        case .archive(let from): return .archive(from: from)
        case .appendNote(let text): return .appendNote(try text.text(activation))
        case .replaceNote(let text): return .replaceNote(try text.text(activation))
        case .log(let text, let level): return .log(text: try text.text(activation), level: level)
        case .favorite(let value): return .favorite(try value.bool(activation))
        case .unarchive: throw EvaluationError(.unavailable, "'unarchive' is not done by this version")
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

extension Argument<Int64> {
    fileprivate func int(_ activation: Activation) throws(EvaluationError) -> Int64 {
        switch self {
        case .constant(let value): return value
        case .expression(let program):
            let value = program.evaluate(activation)
            if case .int(let number) = value { return number }
            throw value.mismatch(wanted: "an int")
        }
    }
}

extension Argument<Bool> {
    fileprivate func bool(_ activation: Activation) throws(EvaluationError) -> Bool {
        switch self {
        case .constant(let value): return value
        case .expression(let program):
            let value = program.evaluate(activation)
            if case .bool(let truth) = value { return truth }
            throw value.mismatch(wanted: "a bool")
        }
    }
}

extension Argument<Duration> {
    fileprivate func duration(_ activation: Activation) throws(EvaluationError) -> Duration {
        switch self {
        case .constant(let value): return value
        case .expression(let program):
            let value = program.evaluate(activation)
            if case .duration(let length) = value { return length }
            throw value.mismatch(wanted: "a duration")
        }
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

import CEL
import Rules

extension Attempt {
    /// The call to make; nil when the session is already as wanted.
    func zimmerWrite(on target: SessionReading) -> ZimmerWrite? {
        let session = request.session
        switch request.kind {
        case .followUp(let prompt, let goal):
            return .followUp(session: session, prompt: "\(mark) \(prompt)", goal: goal)
        case .snooze(let until): return .visibility(session: session, .snoozed(until: until))
        case .hide: return .visibility(session: session, .hidden)
        case .show: return .visibility(session: session, .visible)
        case .archive: return .archive(session: session)
        case .replaceNote(let text): return .notes(session: session, text: text)
        case .appendNote(let text):
            let before = target.notes
            return .notes(session: session, text: before.isEmpty ? text : before + "\n" + text)
        case .log(let text, let level): return .log(session: session, text: "\(mark) \(text)", level: level)
        case .favorite(let wanted):
            return target.flag("favorited") == wanted ? nil : .toggleFavorite(session: session)
        }
    }

    /// Whether the session is as the call wanted it.
    func isInEffect(on session: SessionReading) -> Bool {
        switch request.kind {
        case .snooze(let until):
            // Zimmer keeps whole seconds.
            session.text("visibility") == "snoozed" && session.time("snoozed_until")?.seconds == until.seconds
        case .hide: session.text("visibility") == "hidden"
        case .show: session.text("visibility") == "visible"
        case .archive: session.status == "archived"
        case .replaceNote(let text): session.notes.trimmedLike(text)
        case .appendNote(let text): session.notes.hasSuffix(text)
        case .favorite(let wanted): session.flag("favorited") == wanted
        case .followUp, .log: false
        }
    }
}

extension WriteRequest {
    /// Says what a session is to be, not what is to happen: seen by reading the session.
    var isState: Bool {
        switch kind {
        case .followUp, .log: false
        case .snooze, .hide, .show, .archive, .appendNote, .replaceNote, .favorite: true
        }
    }

    /// Why this must not be done to the session as it is.
    func objection(to session: SessionReading) -> LastLook? {
        guard session.knownStatus != nil else { return .wait("the status '\(session.status)' is not known") }
        guard session.isVisibilityKnown else { return .wait("the visibility is not known") }
        switch kind {
        case .archive(let from) where !from.contains(session.status):
            return .withdrawn("the session is \(session.status)")
        case .appendNote where session.isUnreadable("session_notes"):
            return .wait("the notes cannot be read")
        case .favorite where session.flag("favorited") == nil:
            return .wait("whether it has a star is not known")
        default: return nil
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
    fileprivate func trimmedLike(_ other: String) -> Bool {
        func trimmed(_ text: String) -> Substring {
            let start = text.drop(while: \.isWhitespace)
            return start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count)
        }
        return trimmed(self).utf8.elementsEqual(trimmed(other).utf8)
    }
}

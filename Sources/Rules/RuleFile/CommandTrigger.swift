import CEL

/// `command:`, the trigger of a rule that a person calls by its word in a channel.
///
/// Such rules are loaded and checked; nothing calls them yet.
package enum CommandTrigger {
    /// What is known of a call, as `command`.
    ///
    /// - Parameter session: the type of a session; nil in a world without any.
    static func type(session: ObjectType?) -> ObjectType {
        ObjectType(
            "command",
            [
                .init("by", .string), .init("channel", .string), .init("args", .list(.string), maximumSize: 100),
                .init("text", .string, maximumSize: 4_000),
                .init("session", .nullable(session.map { .object($0) } ?? .dyn)),
            ])
    }
}

/// `confirm:` of a step: a person in a channel is asked first.
package struct Confirmation: Hashable, Sendable {
    package var channel: String
    /// Whose answer counts, as the channel names people.
    package var people: [String]
    /// After which it is withdrawn.
    package var within: Duration
}

extension RuleFile {
    /// What the file says that this version checks and does not run, each named with its place.
    package var notRun: [RuleDiagnostic] {
        rules.flatMap(\.notRun)
    }
}

extension Rule {
    /// What the rule says that this version checks and does not run; nothing where it is off.
    package var notRun: [RuleDiagnostic] {
        guard mode != .off else { return [] }
        if case .command(let word) = trigger { return [notRun("'command: \(word)'", at: position)] }
        return (steps + resolved).filter { $0.confirmation != nil }.map { notRun("'confirm'", at: $0.position) }
    }

    private func notRun(_ what: String, at position: SourcePosition) -> RuleDiagnostic {
        RuleDiagnostic(
            .error,
            "rule '\(name)' has \(what), which this version checks and does not run: take it out, or set 'mode: off'",
            at: position)
    }
}

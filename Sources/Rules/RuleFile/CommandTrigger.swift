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
        rules.filter { $0.mode != .off }.flatMap { rule -> [RuleDiagnostic] in
            if case .command(let word) = rule.trigger {
                return [Self.notRun("'command: \(word)'", of: rule, at: rule.position)]
            }
            return (rule.steps + rule.resolved).filter { $0.confirmation != nil }.map {
                Self.notRun("'confirm'", of: rule, at: $0.position)
            }
        }
    }

    private static func notRun(_ what: String, of rule: Rule, at position: SourcePosition) -> RuleDiagnostic {
        RuleDiagnostic(
            .error,
            "rule '\(rule.name)' has \(what), which this version checks and does not run: take it out, or set 'mode: off'",
            at: position)
    }
}

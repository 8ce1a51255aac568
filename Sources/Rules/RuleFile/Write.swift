package import CEL

/// A step that changes something in Zimmer (docs/rules.md, "Steps").
package struct Write: Sendable {
    /// Names of members are Zimmer's own.
    package enum Kind: Sendable {
        case followUp(prompt: Template, goal: Template?)
        case start([Member])
        /// Only from these statuses.
        case restart(from: [String])
        case pause, sleep, startNow, refresh
        /// Only from these statuses.
        case archive(from: [String])
        case unarchive
        case snooze(Snooze)
        case hide, show
        case set([Member])
        case appendNote(Template)
        case replaceNote(Template)
        case favorite(Argument<Bool>)
        case heartbeat([Member])
        case model(Template)
        case log(text: Template, level: String)
        case push(Template)
        case markRead, dismiss, markAllRead
        case trigger(enabled: Argument<Bool>)
        case invoke(variables: [Member])
        case authorizeMerge
        case answer(Answer)
        case retryFailed
        case cleanUpProcesses
        case enterRecovery(reason: Template, ttl: Argument<Duration>?)
        case exitRecovery, backfillCosts
    }

    package enum Snooze: Sendable {
        case `for`(Argument<Duration>)
        /// `monday 09:00`, `tomorrow 09:00`, `2026-10-12 09:00` in the rule's zone, or a timestamp.
        case until(Argument<LocalMoment>)
    }

    /// A person's answer to a question that a tool asks.
    package enum Answer: Sendable {
        case accept([Member])
        case decline, cancel
    }

    /// A named value of a step.
    package struct Member: Sendable {
        package enum Value: Sendable {
            case text(Template)
            case integer(Argument<Int64>)
            case flag(Argument<Bool>)
            /// Sent in whole seconds.
            case seconds(Argument<Duration>)
            case number(Double)
            case words([String])
            /// Of whatever type it turns out to be.
            case any(Program)

            var programs: [Program] {
                switch self {
                case .text(let text): text.programs
                case .integer(let value): value.programs
                case .flag(let value): value.programs
                case .seconds(let value): value.programs
                case .any(let program): [program]
                case .number, .words: []
                }
            }
        }

        package var name: String
        package var value: Value
    }

    package var kind: Kind
    /// Another session, trigger, … than the subject.
    package var id: Argument<Int64>?

    package init(kind: Kind, id: Argument<Int64>? = nil) {
        self.kind = kind
        self.id = id
    }

    /// The step's word in the rules file.
    package var name: String {
        switch kind {
        case .followUp: "follow_up"
        case .start: "start"
        case .restart: "restart"
        case .pause: "pause"
        case .sleep: "sleep"
        case .startNow: "start_now"
        case .refresh: "refresh"
        case .archive: "archive"
        case .unarchive: "unarchive"
        case .snooze: "snooze"
        case .hide: "hide"
        case .show: "show"
        case .set: "set"
        case .appendNote, .replaceNote: "note"
        case .favorite: "favorite"
        case .heartbeat: "heartbeat"
        case .model: "model"
        case .log: "log"
        case .push: "push"
        case .markRead: "mark_read"
        case .dismiss: "dismiss"
        case .markAllRead: "mark_all_read"
        case .trigger: "trigger"
        case .invoke: "invoke"
        case .authorizeMerge: "authorize_merge"
        case .answer: "answer"
        case .retryFailed: "retry_failed"
        case .cleanUpProcesses: "cleanup_processes"
        case .enterRecovery: "enter_recovery"
        case .exitRecovery: "exit_recovery"
        case .backfillCosts: "backfill_costs"
        }
    }

    /// What kind of thing it is done to.
    package var addressee: Addressee { Addressee(step: name) }

    /// It is done to the subject of the rule, or the session that this belongs to.
    package var isToSubject: Bool { id == nil && addressee != .zimmer }

    /// What it takes from `zimmer.limit`: five where it spends model money.
    package var cost: Int {
        let spends =
            switch kind {
            case .followUp, .start, .heartbeat, .model, .invoke: true
            case .set(let members): members.contains { $0.name == "scheduling_class" }
            default: false
            }
        return spends ? Self.spendingCost : 1
    }

    static let spendingCost = 5

    package var programs: [Program] { kind.programs + (id?.programs ?? []) }
}

extension Write.Kind {
    fileprivate var programs: [Program] {
        switch self {
        case .followUp(let prompt, let goal): prompt.programs + (goal?.programs ?? [])
        case .start(let members), .set(let members), .heartbeat(let members), .invoke(let members),
            .answer(.accept(let members)):
            members.flatMap(\.value.programs)
        case .snooze(.for(let duration)): duration.programs
        case .snooze(.until(let moment)): moment.programs
        case .appendNote(let text), .replaceNote(let text), .log(let text, _), .model(let text), .push(let text):
            text.programs
        case .favorite(let value), .trigger(let value): value.programs
        case .enterRecovery(let reason, let ttl): reason.programs + (ttl?.programs ?? [])
        case .restart, .pause, .sleep, .startNow, .refresh, .archive, .unarchive, .hide, .show, .markRead, .dismiss,
            .markAllRead, .authorizeMerge, .answer, .retryFailed, .cleanUpProcesses, .exitRecovery, .backfillCosts:
            []
        }
    }
}

/// What kind of thing a step is done to.
package enum Addressee: String, Sendable {
    case session, notification, trigger, elicitation
    /// Zimmer as a whole.
    case zimmer

    init(step: String) {
        self =
            switch step {
            case "mark_read", "dismiss": .notification
            case "trigger", "invoke": .trigger
            case "answer": .elicitation
            case "start", "mark_all_read", "cleanup_processes", "enter_recovery", "exit_recovery", "backfill_costs":
                .zimmer
            default: .session
            }
    }
}

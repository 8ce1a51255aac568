import BotCore
import CEL
import Rules

extension Explanation {
    func json(_ history: ExplainCommand.History) -> JSONOutput {
        [
            "rule": .string(rule), "mode": .string(mode.rawValue), "trigger": .string(trigger), "at": .time(at),
            "subject": subject?.json ?? nil, "title": .optional(title), "summary": .string(summary),
            "outcome": .string(outcomeWord), "if": condition?.json ?? nil,
            "names": .array(
                named.map {
                    [
                        "name": .string($0.name), "source": .string($0.source), "value": .string($0.value),
                        "is_error": .bool($0.isError),
                    ]
                }),
            "once_is_used": .bool(onceIsUsed), "episode": episode?.json ?? nil,
            "timers": .array(
                timers.map {
                    ["name": .string($0.name), "length": .string($0.length.brief), "ends_at": .time($0.end)]
                }),
            "slots": slots?.json ?? nil, "blocks": .array(blocks.map(\.json)), "would_run": .bool(wouldRun),
            "steps": .array(
                steps.map {
                    ["text": .string($0.text), "if": .optional($0.condition), "skipped": .optional($0.skipped)]
                }),
            "limits": .array(
                limits.map {
                    [
                        "name": .string($0.name), "used": .integer(Int64($0.used)), "bound": .integer(Int64($0.bound)),
                        "free_at": .time($0.freeAt),
                    ]
                }),
            "history": history.json,
        ]
    }

    private var outcomeWord: String {
        switch outcome {
        case .yes: "true"
        case .no: "false"
        case .cannotTell: "cannot_tell"
        }
    }
}

extension RuleOverview {
    func json(_ history: ExplainCommand.History) -> JSONOutput {
        [
            "rule": .string(rule), "mode": .string(mode.rawValue), "trigger": .string(trigger), "at": .time(at),
            "total": .integer(Int64(total)),
            "going_on": .array(
                rows.map { row in
                    [
                        "subject": row.subject.json, "title": .optional(row.title),
                        "phase": .string(row.phase.rawValue),
                        "since": .time(row.since), "number": .integer(Int64(row.number)),
                        "would_run": .bool(row.wouldRun), "note": .optional(row.note),
                    ]
                }),
            "would_run": .array(
                matching.map { ["subject": $0.subject.json, "title": .optional($0.title)] }),
            "near": .array(near.map(\.json)),
            "kept_away": .array(
                counts.map { ["clause": .string($0.clause), "count": .integer(Int64($0.count))] }),
            "cannot_tell": .array(untold.map { ["subject": $0.subject.json, "reason": .string($0.reason)] }),
            "slots": slots?.json ?? nil, "blocks": .array(blocks.map(\.json)), "history": history.json,
        ]
    }
}

extension RuleOverview.Near {
    var json: JSONOutput {
        ["subject": subject.json, "title": .optional(title), "clause": clause.json]
    }
}

extension ExplainCommand.History {
    var json: JSONOutput {
        [
            "runs": .array(runs.map(\.json)), "waiting": .array(waiting.map(\.json)),
            "missed": missed.map { ["slot": .string($0.slot), "reason": .string($0.reason)] } ?? nil,
        ]
    }
}

extension Clause {
    var json: JSONOutput {
        [
            "text": .string(text), "outcome": .string(outcome.rawValue), "reason": .optional(reason),
            "decides": .bool(isDecisive), "absorbed": .bool(isAbsorbed), "alone": .optional(alone?.rawValue),
            "reads": .object(reads.map { (name: $0.path, value: .string($0.value)) }),
            "join": .optional(join?.rawValue), "parts": .array(parts.map(\.json)),
        ]
    }
}

extension Explanation.EpisodeState {
    fileprivate var json: JSONOutput {
        [
            "phase": .string(phase.rawValue), "number": .integer(Int64(number)), "since": .time(since),
            "active_since": .time(activeSince), "ran_at": .time(ranAt), "runs": .integer(Int64(runs)),
            "acked": .optional(ackedBy), "frozen_since": .time(frozenSince),
        ]
    }
}

extension Explanation.Block {
    fileprivate var json: JSONOutput {
        ["kind": .string(kind.rawValue), "text": .string(text), "until": .time(until)]
    }
}

extension Explanation.Slots {
    fileprivate var json: JSONOutput {
        [
            "next": .array(next.map { .time($0) }), "jitter": .string(jitter.brief), "missing": .optional(missing),
        ]
    }
}

extension Story {
    var json: JSONOutput {
        [
            "id": "\(id)", "run": run?.json ?? nil, "if": start?.clause?.json ?? nil,
            "values": start?.evidence.map(JSONOutput.verbatim) ?? nil,
            "calls": .array(
                calls.map { call in
                    [
                        "id": "\(call.id)", "step": .integer(Int64(call.step)), "request": .string(call.request),
                        "state": .string(call.state), "attempts": .integer(Int64(call.attempts)),
                        "detail": .optional(call.detail), "intended_at": .time(call.intendedAt),
                        "ended_at": .time(call.endedAt),
                    ]
                }),
            "messages": .array(posts.map(\.json)),
            "trail": .array(
                own.map { entry in
                    [
                        "at": .time(entry.at), "kind": .string(entry.kind), "detail": .string(entry.detail),
                        "values": entry.evidence.map(JSONOutput.verbatim) ?? nil, "if": entry.clause?.json ?? nil,
                    ]
                }),
        ]
    }
}

extension Story.Run {
    var json: JSONOutput {
        [
            "rule": .string(rule), "subject": subject.json, "episode": .integer(Int64(episode)), "part": .string(part),
            "step": .integer(Int64(step)), "state": .string(state), "reason": .optional(reason),
            "started_at": .time(startedAt), "wait_until": .time(waitUntil), "once": .optional(onceText),
            "pull_request": .optional(anchor),
        ]
    }
}

extension Story.Post {
    fileprivate var json: JSONOutput {
        [
            "id": "\(id)", "step": step.map { .integer(Int64($0)) } ?? nil, "channel": .string(channel),
            "kind": .string(kind), "text": .string(text), "state": .string(state),
            "attempts": .integer(Int64(attempts)), "reason": .optional(reason), "receipt": .optional(receipt),
            "created_at": .time(createdAt), "ended_at": .time(endedAt), "hold": .optional(hold),
            "release_at": .time(releaseAt), "suppressed_by": .optional(suppressedBy),
        ]
    }
}

import DemoZimmer
import FaultProxy
import Foundation

/// Compares what the bot wrote down with what reached the other sides.
struct ChaosCheck {
    private let ledger: ChaosLedger
    private let applied: [RecordedRequest]
    private let messages: [RecordingWebhook.Message]
    private let kills: [ServerTime]
    private(set) var problems: [String] = []
    /// Sessions with a star as the writes come in: the call turns it over, and does not say which way.
    private var stars: Set<Int> = []
    /// How often each step was carried out.
    private(set) var callsByStep: [String: Int] = [:]

    init(_ stage: ChaosStage, kills: [ServerTime]) throws {
        self.kills = kills
        ledger = try ChaosLedger(stage)
        applied = stage.server.writes.filter { 200..<300 ~= ($0.status ?? 0) && !Self.isReplay($0) }
        messages = stage.webhook.messages.elements
        checkEnds()
        checkWrites()
        checkTexts(stage.server.state)
        checkMessages()
    }

    /// The answer to a key that was known already; a new session is a 201.
    private static func isReplay(_ write: RecordedRequest) -> Bool {
        write.path == "/api/v1/sessions" && write.status == 200
    }

    var unknowns: Int { ledger.actions.count { $0.state == "unknown" } }
    var actions: Int { ledger.actions.count }
    var posts: Int { ledger.posts.count }
    var writes: Int { applied.count }

    // MARK: - Ends

    private mutating func checkEnds() {
        let final: Set = ["done", "refused", "unknown", "withdrawn", "gave_up"]
        for action in ledger.actions where !final.contains(action.state) {
            problems.append("\(name(action)) is \(action.state) for good: \(action.detail)")
        }
        for run in ledger.unfinishedRuns { problems.append("the run \(run) goes on for ever") }
        for action in ledger.actions where action.state == "unknown" {
            if action.detail.isEmpty { problems.append("\(name(action)) is unknown, and nothing says why") }
            let isNoticed = ledger.notices.contains {
                $0.contains("Rule \(action.rule):") && $0.contains("is unknown, and is not repeated")
            }
            if !isNoticed { problems.append("no notice says that \(name(action)) is unknown") }
        }
    }

    private func name(_ action: ChaosLedger.Action) -> String {
        "act_\(action.id) of rule \(action.rule) (\(action.request))"
    }

    // MARK: - Writes

    /// Each write on the server belongs to an action that was intended before; each action has as many as its end says.
    private mutating func checkWrites() {
        var calls: [Int64: [RecordedRequest]] = [:]
        checkToggles()
        for write in applied where write.path != Self.toggle {
            defer { if write.isStar, let session = write.sessionID { stars.formSymmetricDifference([session]) } }
            guard let action = action(behind: write, calls) else {
                problems.append("nothing in the trail explains \(write.method) \(write.path) \(text(write))")
                continue
            }
            calls[action.id, default: []].append(write)
            callsByStep[word(action), default: 0] += 1
        }
        for action in ledger.actions where word(action) != "trigger" {
            check(action, calls[action.id] ?? [])
        }
    }

    private static let toggle = "/api/v1/triggers/3/toggle"

    /// Many sessions turn one trigger, and a call does not say whose it is: there are as many to each side as the ledger has.
    private mutating func checkToggles() {
        let count = applied.count { $0.path == Self.toggle }
        // It was on, and each turns it over.
        for (isOn, turned) in [(false, (count + 1) / 2), (true, count / 2)] {
            let actions = ledger.actions.filter { $0.request == "trigger trigger 3: enabled \(isOn)" }
            let done = actions.filter { $0.state == "done" && $0.detail != "it was so already" }
            let sure = done.count { $0.detail != "read back" }
            let possible = done.count + actions.count { $0.state == "unknown" }
            if !(sure...possible).contains(turned) {
                problems.append(
                    "the trigger was turned \(turned) times to \(isOn); the ledger has \(sure) to \(possible)")
            }
        }
    }

    private mutating func check(_ action: ChaosLedger.Action, _ calls: [RecordedRequest]) {
        if calls.count > 1, Self.once.contains(word(action)) {
            problems.append("\(name(action)) took effect \(calls.count) times")
        }
        for (first, second) in zip(calls, calls.dropFirst()) where !mayBeRepeated(first, by: second) {
            let kill = kills.first { $0 >= first.time }.map { "\($0 - first.time)" } ?? "never"
            problems.append(
                "\(name(action)) was made again after \(second.time - first.time), though it was answered; killed "
                    + "after \(kill), second answer \(second.fault ?? "whole")")
        }
        // Somebody else may have made it so.
        let isSo = ["read back", "it was so already"].contains(action.detail)
        switch action.state {
        case "done" where calls.isEmpty && !isSo: problems.append("\(name(action)) is done, and the server has nothing")
        case "refused", "withdrawn", "gave_up":
            if !calls.isEmpty, !mayBeOver(action, calls) {
                problems.append("\(name(action)) is \(action.state) (\(action.detail)), and took effect")
            }
        default: break
        }
    }

    /// What would be another thing the second time; anything else says how something is to be.
    private static let once: Set = [
        "follow_up", "log", "push", "start", "invoke", "favorite", "restart", "retry_failed", "start_now",
    ]

    private func mayBeRepeated(_ first: RecordedRequest, by second: RecordedRequest) -> Bool {
        isLost(first) || second.isLate
    }

    /// Whether the bot may not have written down how it ended: its answer met a fault, or the bot was killed just then. What
    /// it had sent by then is still carried out.
    private func isLost(_ call: RecordedRequest) -> Bool {
        call.fault != nil
            || kills.contains { (Duration.milliseconds(-250)...(.seconds(1))).contains($0 - call.time) }
    }

    /// A session that slept, and whose answer was lost, may have been woken before anybody looked. And Zimmer answers that
    /// it does not retry a session with 200.
    private func mayBeOver(_ action: ChaosLedger.Action, _ calls: [RecordedRequest]) -> Bool {
        switch word(action) {
        case "sleep", "pause": calls.allSatisfy { isLost($0) }
        case "retry_failed": action.state == "refused"
        default: false
        }
    }

    private func word(_ action: ChaosLedger.Action) -> String {
        String(action.request.prefix { $0 != " " && $0 != ":" })
    }

    private func text(_ write: RecordedRequest) -> String {
        String(decoding: write.request.body.prefix(300), as: UTF8.self)
    }

    /// The action whose call this was: of several that could be, the one that was tried last before it. The bot knows
    /// Zimmer's time only to a second or so; of those that close together the first that has no call yet.
    private func action(behind write: RecordedRequest, _ calls: [Int64: [RecordedRequest]]) -> ChaosLedger.Action? {
        let sent = write.time.millisecondsSince1970 - (write.isLate ? Int64(ChaosStage.lateness * 1_000) : 0)
        let matching = ledger.actions.compactMap { action in
            action.attempts.last { $0 <= sent + Self.clockTolerance }.map { (action: action, tried: $0) }
        }.filter { explains($0.action, write) }
        guard let last = matching.max(by: { $0.tried < $1.tried }) else { return nil }
        let close = matching.filter { $0.tried >= last.tried - Self.clockTolerance }
        return (close.first { calls[$0.action.id] == nil } ?? last).action
    }

    /// Milliseconds.
    private static let clockTolerance: Int64 = 1_000

    private func explains(_ action: ChaosLedger.Action, _ write: RecordedRequest) -> Bool {
        guard let body = write.body else { return false }
        if let session = write.sessionID { return explains(action, write, body, of: session) }
        switch write.path {
        case "/api/v1/sessions":
            return action.request.hasPrefix("start: ")
                && action.request.contains("prompt \(body["prompt"]?.text ?? "?"),")
        case "/api/v1/notifications/push":
            return action.request
                == "push session \(body["session_id"]?.integer ?? 0): \(body["message"]?.text ?? "?")"
        case "/api/v1/triggers/4/invoke":
            return action.request == "invoke trigger 4: text \(body["variables"]?["text"]?.text ?? "?")"
        case "/api/v1/health/retry_sessions":
            let sessions = (body["session_ids"]?.elements ?? []).compactMap(\.integer)
            return sessions.map { "retry_failed session \($0)" } == [action.request]
        case "/api/v1/health/enter_queue_recovery_mode":
            return action.request == "enter_recovery: \(body["reason"]?.text ?? "?"), for 5 min"
        case "/api/v1/health/exit_queue_recovery_mode": return action.request == "exit_recovery"
        case "/api/v1/health/cleanup_processes": return action.request == "cleanup_processes"
        case "/api/v1/costs/backfill": return action.request == "backfill_costs"
        default: return false
        }
    }

    private func explains(
        _ action: ChaosLedger.Action, _ write: RecordedRequest, _ body: JSON, of session: Int
    ) -> Bool {
        switch write.request.path.dropFirst(4).first {
        case "follow_up": return said(body["prompt"]?.text, action, "follow_up session \(session): ")
        case "logs": return said(body["content"]?.text, action, "log session \(session) (info): ")
        case "notes":
            let wanted = "note session \(session): append "
            return action.request.hasPrefix(wanted)
                && body["session_notes"]?.text?.hasSuffix(action.request.dropFirst(wanted.count)) ?? false
        case "visibility":
            let words = ["hidden": "hide", "visible": "show", "snoozed": "snooze"]
            let word = words[body["visibility"]?.text ?? ""] ?? "?"
            return "\(action.request) ".hasPrefix("\(word) session \(session) ")
        case "model": return action.request == "model session \(session): \(body["model"]?.text ?? "?")"
        case let step? where ["archive", "restart", "sleep", "pause", "start_now"].contains(step):
            return action.request == "\(step) session \(session)"
        case "heartbeat":
            return action.request.hasPrefix("heartbeat session \(session): enabled \(body["enabled"] == .bool(true))")
        case "toggle_favorite": return action.request == "favorite session \(session): \(!stars.contains(session))"
        case nil: return action.request == "set session \(session): goal \(body["goal"]?.text ?? "?")"
        default: return false
        }
    }

    /// A text with our mark, which names the action.
    private func said(_ text: String?, _ action: ChaosLedger.Action, _ prefix: String) -> Bool {
        guard let text, action.request.hasPrefix(prefix) else { return false }
        return text.hasPrefix("[zimmer-bot ")
            && text.hasSuffix("-\(action.id)] \(action.request.dropFirst(prefix.count))")
    }

    /// No text stands twice where it was written.
    private mutating func checkTexts(_ state: ZimmerState) {
        var texts: [String] = []
        for session in state.sessions.ids.compactMap({ state.sessions[$0] }) {
            // What sessions were started with, too; what Zimmer says by itself at a restart has no number.
            let said = session.conversation.filter { $0.role == "user" }.map(\.content)
            texts += said.filter { $0.contains(where: \.isNumber) }
            texts += (session.notes ?? "").split(separator: "\n").map(String.init)
        }
        texts += state.queue.map(\.content) + state.logs.map(\.content)
        for (text, copies) in Dictionary(grouping: texts, by: unmarked) where copies.count > 1 {
            problems.append("'\(text)' stands \(copies.count) times where it was written once: \(copies)")
        }
    }

    private func unmarked(_ text: String) -> String {
        text.hasPrefix("[zimmer-bot ") ? String(text.drop { $0 != "]" }.dropFirst(2)) : text
    }

    // MARK: - Messages

    private mutating func checkMessages() {
        var bodies: [String: Set<String>] = [:]
        for message in messages where 200..<300 ~= (message.status ?? 0) {
            bodies[message.header("webhook-id") ?? "", default: []].insert(message.text)
        }
        let delivered = Set(ledger.posts.lazy.filter { $0.state == "delivered" }.map(\.id))
        for post in ledger.posts {
            // What waited too long is said by the end of what it tells.
            let suffix = " says it"
            if post.state == "folded", post.reason.hasSuffix(suffix) {
                let later = String(post.reason.dropLast(suffix.count))
                if !delivered.contains(later) { problems.append("\(post.id) is said by \(later), which is not said") }
                continue
            }
            if post.state != "delivered" {
                problems.append("the message \(post.id) is \(post.state), \(post.reason): \(post.message)")
            }
            if bodies[post.id] == nil { problems.append("the message \(post.id) is lost: \(post.message)") }
        }
        let known = Set(ledger.posts.map(\.id))
        for (id, bodies) in bodies {
            if !known.contains(id) {
                problems.append("the receiver has a message '\(id)' of which the ledger knows nothing")
            }
            if bodies.count > 1 { problems.append("the message \(id) came with different bodies: \(bodies)") }
        }
        let texts = bodies.values.compactMap { $0.first.flatMap { JSON(parsing: Array($0.utf8))?["text"]?.text } }
        for (text, copies) in Dictionary(grouping: texts, by: \.self)
        where copies.count > 1 && text.first?.isNumber ?? false {
            problems.append("'\(text)' was said \(copies.count) times under different ids")
        }
    }
}

extension RecordedRequest {
    /// What befell its answer.
    fileprivate var fault: String? { request.header(FaultProxy.header) }
    fileprivate var isStar: Bool { path.hasSuffix("/toggle_favorite") }
    fileprivate var isLate: Bool { fault == ProxyFault.late.rawValue }
}

import DemoZimmer
import Foundation

/// Compares what the bot wrote down with what reached the other sides.
struct ChaosCheck {
    private let ledger: ChaosLedger
    private let applied: [RecordedRequest]
    private let messages: [RecordingWebhook.Message]
    private(set) var problems: [String] = []

    init(_ stage: ChaosStage) throws {
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
        var effects: [Int64: Int] = [:]
        checkToggles()
        for write in applied where write.path != Self.toggle {
            guard let action = action(behind: write, effects) else {
                problems.append("nothing in the trail explains \(write.method) \(write.path) \(text(write))")
                continue
            }
            effects[action.id, default: 0] += 1
        }
        for action in ledger.actions where word(action) != "trigger" {
            check(action, effects: effects[action.id] ?? 0)
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

    private mutating func check(_ action: ChaosLedger.Action, effects: Int) {
        let repeats = ["hide", "show", "snooze", "archive", "note", "set", "heartbeat"].contains(word(action))
        if effects > 1, !repeats { problems.append("\(name(action)) took effect \(effects) times") }
        // Somebody else may have made it so.
        let isSo = ["read back", "it was so already"].contains(action.detail)
        switch action.state {
        case "done" where effects == 0 && !isSo: problems.append("\(name(action)) is done, and the server has nothing")
        case "refused" where effects > 0, "withdrawn" where effects > 0, "gave_up" where effects > 0:
            problems.append("\(name(action)) is \(action.state) (\(action.detail)), and took effect")
        default: break
        }
    }

    private func word(_ action: ChaosLedger.Action) -> String {
        String(action.request.prefix { $0 != " " })
    }

    private func text(_ write: RecordedRequest) -> String {
        String(decoding: write.request.body.prefix(300), as: UTF8.self)
    }

    /// The action whose call this was. Of several that could be, the first that has none yet.
    private func action(behind write: RecordedRequest, _ effects: [Int64: Int]) -> ChaosLedger.Action? {
        let matching = ledger.actions.filter { action in
            guard let first = action.attempts.min() else { return false }
            return first <= write.time.millisecondsSince1970 + 1_000 && explains(action, write)
        }
        return matching.first { effects[$0.id] == nil } ?? matching.last
    }

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
        case "archive": return action.request == "archive session \(session)"
        case "restart": return action.request == "restart session \(session)"
        case "heartbeat":
            return action.request.hasPrefix("heartbeat session \(session): enabled \(body["enabled"] == .bool(true))")
        case "toggle_favorite": return action.request.hasPrefix("favorite session \(session):")
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
        for post in ledger.posts {
            if post.state != "delivered" { problems.append("the message \(post.id) is \(post.state): \(post.message)") }
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

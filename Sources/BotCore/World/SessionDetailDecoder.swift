import CEL

/// Reads the answers that bring details of a session. Free-form here and there: what has an unexpected form is unreadable,
/// what is missing is null where it may be.
enum SessionDetailDecoder {
    typealias Values = [SessionField: Value]

    /// Bytes of a message or a summary: they are kept for each session. Zimmer cuts messages at 4,000 characters.
    private static let maximumText = 64 << 10

    /// - Parameter json: the answer to a request for the session.
    static func page(_ json: JSONValue, of id: Int64) -> Values {
        var values: Values = [.waitingText: waitingText(json["waiting"])]
        let summary = json["status_summary"]
        values[.summary] = summary.map { text($0, "summary") } ?? .error(.unreadable("Zimmer did not send a summary"))
        let nodes = json["session_hierarchy"]?["nodes"]
        guard let hierarchy = json.present("session_hierarchy"), let nodes, nodes.kind == .array else {
            let unread = Value.error(.unreadable("Zimmer did not send the session's hierarchy"))
            return values.merging([.parentID: unread, .children: unread]) { $1 }
        }
        let own = nodes.elements.first { $0["current"]?.bool == true || $0["id"]?.int == id }
        values[.parentID] =
            own.map { WireDecoder.value(.nullable(.int), $0["parent_session_id"], "the session's parent") }
            ?? .error(.unreadable("the session is not in its own hierarchy"))
        let children = nodes.elements.filter { $0["parent_session_id"]?.int == id }.compactMap { $0["id"]?.int }
        values[.children] =
            hierarchy["truncated"]?.bool == true
            ? .error(.unreadable("Zimmer sent only a part of the session's hierarchy"))
            : .list(children.map(Value.int))
        return values
    }

    private static func text(_ json: JSONValue, _ name: String) -> Value {
        if json.isNull { return .null }
        return WireDecoder.value(.nullable(.string), json[name], "session.\(name)", maximumText: maximumText)
    }

    /// Zimmer's words for why a session waits. Their form is not settled: text, or a list of objects with words in them.
    private static func waitingText(_ json: JSONValue?) -> Value {
        guard let json, !json.isNull else { return .null }
        guard json.textSize <= maximumText else {
            return .error(.unreadable("what Zimmer says of the wait has more text than is kept"))
        }
        let words = json.kind == .array ? json.elements.map(words) : [words(json)]
        let known = words.compactMap { $0 }
        if known.count < words.count { return .error(.unreadable("what Zimmer says of the wait has an unknown form")) }
        return known.isEmpty ? .null : .string(known.joined(separator: "\n"))
    }

    private static func words(_ json: JSONValue) -> String? {
        if let text = json.string { return text }
        return ["text", "words", "message", "body", "title"].lazy.compactMap { json[$0]?.string }.first
    }

    /// The newest message of the agent or of a person that has words; those that only carry the use of tools have none.
    static func conversation(_ json: JSONValue) -> Values {
        guard let messages = json["messages"], messages.kind == .array else {
            return both(.lastMessage, .lastMessageAt, .error(.unreadable("Zimmer did not send the conversation")))
        }
        var last: JSONValue?
        for message in messages.elements {
            guard let role = message["role"]?.string, role == "user" || role == "assistant",
                message["content"]?.string?.contains(where: { !$0.isWhitespace }) == true
            else { continue }
            last = message
        }
        if let last {
            return [
                .lastMessage: WireDecoder.value(
                    .nullable(.string), last["content"], "session.last_message", maximumText: maximumText),
                .lastMessageAt: WireDecoder.value(.nullable(.timestamp), last["timestamp"], "session.last_message_at"),
            ]
        }
        let isPart = json["truncated"]?.bool == true
        return both(
            .lastMessage, .lastMessageAt, isPart ? .error(.unreadable("the newest messages have no words")) : .null)
    }

    static func queue(_ json: JSONValue) -> Values {
        guard let messages = json["enqueued_messages"], messages.kind == .array else {
            return both(.queued, .undelivered, .error(.unreadable("Zimmer did not send the queue")))
        }
        guard Int64(messages.count) == json["pagination"]?["total_count"]?.int ?? Int64(messages.count) else {
            return both(.queued, .undelivered, .error(.unreadable("the queue is too long to be counted")))
        }
        func count(_ status: String) -> Value {
            .int(Int64(messages.elements.filter { $0["status"]?.string == status }.count))
        }
        return [.queued: count("pending"), .undelivered: count("undelivered")]
    }

    /// - Parameter reading: of the session's whole life.
    static func costs(_ reading: CostsReading, of id: Int64) -> Values {
        // A server that does not know the parameter answers with what everything cost.
        guard case .object(let totals) = reading.object["totals"], case .list(let top) = reading.object["top_sessions"],
            top.allSatisfy({ $0.isOfSession(id) }), reading.isOfWindow
        else { return [.costUSD: .error(.unreadable("this Zimmer does not tell what one session cost"))] }
        if case .double(let adhoc) = totals["adhoc_cost_usd"], adhoc > 0 {
            return [.costUSD: .error(.unreadable("this Zimmer does not tell what one session cost"))]
        }
        return [.costUSD: totals["cost_usd"]]
    }

    private static func both(_ first: SessionField, _ second: SessionField, _ value: Value) -> Values {
        [first: value, second: value]
    }
}

extension Value {
    fileprivate func isOfSession(_ id: Int64) -> Bool {
        guard case .object(let row) = self, case .int(id) = row["session_id"] else { return false }
        return true
    }
}

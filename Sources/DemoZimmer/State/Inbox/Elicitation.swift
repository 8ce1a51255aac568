/// A question that a tool server asks a person through a session, whose agent waits for the answer.
package struct Elicitation: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case pending, accept, decline, cancel, expired
    }

    package let id: Int
    package let sessionID: Int
    package var requestID: String
    package var message: String
    package var toolName: String
    package var status = Status.pending
    package var content: JSON = .null
    package var createdAt: ServerTime
    package var expiresAt: ServerTime
    package var respondedAt: ServerTime?

    var json: JSON {
        [
            "id": .int(id), "request_id": .string(requestID), "status": .string(status.rawValue), "mode": "form",
            "message": .string(message), "requested_schema": Self.schema, "tool_name": .string(toolName),
            "context": ["server": "object-storage"], "expires_at": JSON(expiresAt), "response_content": content,
            "responded_at": JSON(respondedAt), "created_at": JSON(createdAt),
        ]
    }

    private static let schema: JSON = [
        "type": "object",
        "properties": [
            "confirm": ["type": "boolean", "title": "Do it"], "reason": ["type": "string", "title": "Reason"],
        ],
        "required": ["confirm"],
    ]
}

extension ZimmerState {
    /// A tool asks: the session comes to rest with its agent still alive.
    ///
    /// - Returns: the request's id.
    @discardableResult
    package mutating func elicit(_ message: String, tool: String, in id: Int) -> String {
        let number = nextID(.elicitation)
        let elicitation = Elicitation(
            id: number, sessionID: id, requestID: "elicit-\(uuid(of: "elicitation", number).prefix(8))",
            message: message, toolName: tool, createdAt: now, expiresAt: now + .minutes(60))
        elicitations.append(elicitation)
        edit(id) { session in
            session.status = .needsInput
            session.metadata["blocked_on_elicitation"] = true
        }
        notify("elicitation_pending", about: id)
        return elicitation.requestID
    }

    /// The answer reaches the tool, and the agent runs on.
    mutating func answer(elicitationAt index: Int, _ status: Elicitation.Status, content: JSON) {
        elicitations[index].status = status
        elicitations[index].content = status == .accept ? content : .null
        elicitations[index].respondedAt = now
        let id = elicitations[index].sessionID
        let turn = newTurn(prompt: "")
        edit(id) { session in
            session.status = .running
            session.metadata["blocked_on_elicitation"] = nil
            session.turn = turn
        }
        for index in notifications.indices where notifications[index].sessionID == id {
            notifications[index].isStale = true
        }
        agenda.plan(.turnEnds(session: id, turn: turn.number), at: now + (sessions[id]?.turnLength ?? agent.turn))
    }
}

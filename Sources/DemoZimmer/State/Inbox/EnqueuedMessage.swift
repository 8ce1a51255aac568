/// Words that wait for a session's turn to end.
package struct EnqueuedMessage: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case pending, processing, sent
        /// Terminal: the session was archived first.
        case undelivered
    }

    package let id: Int
    package let sessionID: Int
    package var content: String
    package var goal: String?
    package var position: Int
    package var status = Status.pending
    package var origin = "caller"
    package var createdAt: ServerTime

    var json: JSON {
        [
            "id": .int(id), "session_id": .int(sessionID), "content": .string(content), "goal": JSON(goal),
            "position": .int(position), "status": .string(status.rawValue), "origin": .string(origin),
            "created_at": JSON(createdAt), "updated_at": JSON(createdAt),
        ]
    }

    /// What the answer to a follow-up shows of it.
    var receipt: JSON {
        ["id": .int(id), "position": .int(position), "status": .string(status.rawValue)]
    }
}

extension ZimmerState {
    @discardableResult
    package mutating func enqueue(
        _ content: String, goal: String? = nil, for id: Int, origin: String = "caller"
    ) -> EnqueuedMessage {
        let position = queue.count { $0.sessionID == id && $0.status == .pending } + 1
        let message = EnqueuedMessage(
            id: nextID(.message), sessionID: id, content: content, goal: goal, position: position, origin: origin,
            createdAt: now)
        queue.append(message)
        return message
    }

    func pendingMessages(of id: Int) -> [EnqueuedMessage] {
        queue.filter { $0.sessionID == id && $0.status == .pending }.sorted { $0.position < $1.position }
    }

    mutating func renumberQueue(of id: Int) {
        for (offset, message) in pendingMessages(of: id).enumerated() {
            guard let index = queue.firstIndex(where: { $0.id == message.id }) else { continue }
            queue[index].position = offset + 1
        }
    }
}

/// The inbox, and questions that tools ask.
extension ZimmerState {
    func listNotifications(_ call: Call) throws(Refusal) -> HTTPResponse {
        let status = call.request.queryValue("status")
        let rows = notifications.reversed().filter { row in
            !row.isStale && (status == "read" ? row.isRead : status == "unread" ? !row.isRead : true)
        }
        return list("notifications", rows, call) { $0.json(sessions[$0.sessionID]) }
    }

    func showNotification(_ call: Call) throws(Refusal) -> HTTPResponse {
        notificationAnswer(try notificationIndex(call))
    }

    func badge() -> HTTPResponse {
        .json(["pending_count": .int(pendingNotificationCount)])
    }

    mutating func markRead(_ call: Call) throws(Refusal) -> HTTPResponse {
        let index = try notificationIndex(call)
        if !notifications[index].isRead {
            notifications[index].isRead = true
            notifications[index].updatedAt = now
        }
        return notificationAnswer(index)
    }

    mutating func markAllRead() -> HTTPResponse {
        let marked = pendingNotificationCount
        for index in notifications.indices where !notifications[index].isStale { notifications[index].isRead = true }
        return .json(["marked_count": .int(marked), "pending_count": .int(pendingNotificationCount)])
    }

    mutating func dismiss(_ call: Call) throws(Refusal) -> HTTPResponse {
        let index = try notificationIndex(call)
        guard notifications[index].isRead else {
            throw .unprocessable("Cannot dismiss", "Only read notifications can be dismissed.")
        }
        notifications.remove(at: index)
        return HTTPResponse(status: 204)
    }

    mutating func dismissAllRead() -> HTTPResponse {
        let before = notifications.count
        notifications.removeAll { $0.isRead && !$0.isStale }
        return .json([
            "dismissed_count": .int(before - notifications.count), "pending_count": .int(pendingNotificationCount),
        ])
    }

    mutating func push(_ call: Call) throws(Refusal) -> HTTPResponse {
        guard let id = call.integer("session_id") else { throw .invalid("Session is required") }
        guard sessions[id] != nil else { throw .notFound }
        guard call.text("message") != nil else { throw .invalid("Message is required") }
        notify("custom_message", about: id)
        return .json(["success": true, "message": "Push notification queued", "session_id": .int(id)])
    }

    mutating func respondToElicitation(_ call: Call) throws(Refusal) -> HTTPResponse {
        if case .token(actsForPerson: false) = call.credential {
            throw Refusal(403, "Forbidden", "This sign-in relays; it does not act for you.")
        }
        let name = call.arguments["id"] ?? ""
        guard let index = elicitations.firstIndex(where: { $0.requestID == name || String($0.id) == name }) else {
            throw .notFound
        }
        let action = call.text("action_type").flatMap(Elicitation.Status.init(rawValue:))
        guard let action, [.accept, .decline, .cancel].contains(action) else {
            throw .invalid("Action type must be accept, decline or cancel")
        }
        let isOpen = elicitations[index].status == .pending && elicitations[index].expiresAt > now
        guard isOpen else { throw .unprocessable("Already resolved", "This request was already resolved.") }
        answer(elicitationAt: index, action, content: call.parameter("content") ?? .null)
        let elicitation = elicitations[index]
        return .json([
            "action": .string(action.rawValue), "content": elicitation.content,
            "_meta": [
                "com.pulsemcp/request-id": .string(elicitation.requestID), "com.pulsemcp/responded-at": JSON(now),
            ],
        ])
    }

    private func notificationIndex(_ call: Call) throws(Refusal) -> Int {
        let id = call.arguments["id"].flatMap { Int($0) }
        guard let index = notifications.firstIndex(where: { $0.id == id }) else { throw .notFound }
        return index
    }

    private func notificationAnswer(_ index: Int) -> HTTPResponse {
        let row = notifications[index]
        return .json(["notification": row.json(sessions[row.sessionID])])
    }
}

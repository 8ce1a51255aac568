/// A row of the inbox. It carries no text.
package struct InboxNotification: Sendable, Hashable {
    package let id: Int
    package let sessionID: Int
    package var type: String
    package var isRead = false
    /// Stale rows left the list: their session went on.
    package var isStale = false
    package var createdAt: ServerTime
    package var updatedAt: ServerTime

    func json(_ session: Session?) -> JSON {
        var json: JSON = [
            "id": .int(id), "session_id": .int(sessionID), "notification_type": .string(type), "read": .bool(isRead),
            "stale": .bool(isStale), "created_at": JSON(createdAt), "updated_at": JSON(updatedAt),
        ]
        json["session"] = session?.reference
        return json
    }
}

extension ZimmerState {
    /// Puts a row into the inbox.
    package mutating func notify(_ type: String, about id: Int) {
        notifications.append(
            InboxNotification(
                id: nextID(.notification), sessionID: id, type: type, createdAt: now, updatedAt: now))
    }

    /// Unread and still listed.
    var pendingNotificationCount: Int {
        notifications.count { !$0.isRead && !$0.isStale }
    }
}

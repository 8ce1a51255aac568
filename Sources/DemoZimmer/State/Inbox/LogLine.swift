/// A line of a session's log.
package struct LogLine: Sendable, Hashable {
    package let id: Int
    package let sessionID: Int
    package var content: String
    package var level: String
    package var createdAt: ServerTime

    static let levels = ["info", "error", "debug", "warning", "verbose"]

    var json: JSON {
        [
            "id": .int(id), "session_id": .int(sessionID), "content": .string(content), "level": .string(level),
            "created_at": JSON(createdAt), "updated_at": JSON(createdAt),
        ]
    }
}

extension ZimmerState {
    @discardableResult
    package mutating func log(_ content: String, level: String = "info", in id: Int) -> LogLine {
        let line = LogLine(id: nextID(.log), sessionID: id, content: content, level: level, createdAt: now)
        logs.append(line)
        return line
    }
}

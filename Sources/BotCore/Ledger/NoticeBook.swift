package import CEL
package import Rules

/// Keeps the bot from talking about itself too much: one notice per cause, at most daily, and one when it is over.
package struct NoticeBook: Sendable {
    /// Something a person should know about the bot, as it is now.
    package struct Cause: Hashable, Sendable {
        /// Says whether two causes are the same; holds no number that grows.
        package var id: String
        /// One sentence, without the examples.
        package var text: String
        /// Everything it is about, in words; three are shown.
        package var subjects: [String]
        /// The same by their ids, in any order: there may be thousands at every reading, and they are sorted only when they
        /// are shown.
        package var ids: [SubjectID]
        /// Happened once, so it is never over.
        package var isEvent: Bool
        /// Stays as it is for good, most likely, so it is not said again every day.
        package var isSaidOnce: Bool
        /// The channel it is about, through which it does not go.
        package var channel: String?

        package init(
            id: String, text: String, subjects: [String] = [], ids: [SubjectID] = [], isEvent: Bool = false,
            isSaidOnce: Bool = false, channel: String? = nil
        ) {
            self.id = id
            self.text = text
            self.subjects = subjects
            self.ids = ids
            self.isEvent = isEvent
            self.isSaidOnce = isSaidOnce
            self.channel = channel
        }
    }

    /// A notice to send.
    package struct Notice: Hashable, Sendable {
        package var cause: String
        package var text: String
        package var isOver: Bool
        package var channel: String?
    }

    /// A notice that was given.
    package struct Given: Hashable, Sendable {
        package var firstAt: Timestamp
        package var sentAt: Timestamp
        package var text: String
        /// It is not, or no more, something that lasts: kept so that it is not said again on the same day.
        package var isEvent: Bool
        package var channel: String?
    }

    private static let pause: Duration = .seconds(86_400)
    private static let examples = 3

    package private(set) var given: [String: Given]
    /// Causes that held since the process began.
    private var seen: Set<String> = []

    package init(given: [String: Given] = [:]) {
        self.given = given
    }

    /// Causes that are found again only when they have lasted for a while.
    private static let slow = [
        "cannot_tell:", "unreadable:", "slow:", "channel:", "rows:", "catalog:", "heartbeat",
    ]

    /// Causes of which a person has to know each time: nothing, or nobody, is reached. Others come and go all day.
    private static let anew = [outage, "channel:", "edge_token", "sign_in:"]

    /// What to say, now that these are the causes. `causes` are all states that hold and all events since the last call.
    ///
    /// - Parameters:
    ///   - endings: what is said at the end of a family of causes, which lasts until then.
    ///   - isStarting: the process is too young for what lasted before it to have shown again.
    package mutating func update(
        _ causes: [Cause], endings: [String: String] = [:], now: Timestamp, isStarting: Bool = false
    ) -> [Notice] {
        var notices: [Notice] = []
        var ended: Set<String> = []
        var holding: Set<String> = []
        for cause in causes {
            holding.insert(cause.id)
            if !cause.isEvent { seen.insert(cause.id) }
            if let before = given[cause.id], cause.isSaidOnce && !before.isEvent || now - before.sentAt < Self.pause {
                continue
            }
            let text = Self.sentence(cause)
            let first = given[cause.id]?.firstAt ?? now
            given[cause.id] = Given(
                firstAt: first, sentAt: now, text: cause.text, isEvent: cause.isEvent, channel: cause.channel)
            notices.append(Notice(cause: cause.id, text: text, isOver: false, channel: cause.channel))
        }
        for (id, before) in given.sorted(by: { $0.key < $1.key }) where !holding.contains(id) {
            let family = Self.family(of: id)
            if let family, endings[family] == nil { continue }
            if before.isEvent {
                if now - before.sentAt >= Self.pause { given[id] = nil }
                continue
            }
            if isStarting, !seen.contains(id), Self.slow.contains(where: id.hasPrefix) { continue }
            if Self.anew.contains(where: id.hasPrefix) { given[id] = nil } else { given[id]?.isEvent = true }
            if let family, !ended.insert(family).inserted { continue }
            let text = family.flatMap { endings[$0] } ?? "Over: \(before.text)"
            notices.append(Notice(cause: id, text: text, isOver: true, channel: before.channel))
        }
        return notices
    }

    /// Causes that take turns: `zimmer` of `zimmer:sign_in`. They have one end.
    private static func family(of id: String) -> String? {
        id.hasPrefix(outage) ? String(outage.dropLast()) : nil
    }

    private static let outage = "zimmer:"

    private static func sentence(_ cause: Cause) -> String {
        let subjects = cause.subjects + cause.ids.sorted().map(\.description)
        guard !subjects.isEmpty else { return cause.text }
        let shown = subjects.prefix(examples).joined(separator: ", ")
        let more = subjects.count - examples
        return "\(cause.text) (\(subjects.count): \(shown)\(more > 0 ? ", and \(more) more" : ""))"
    }
}

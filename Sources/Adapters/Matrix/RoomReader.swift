import AdapterKit

/// Reads what is new in a room: its state, and what people said. Decides; does nothing.
struct RoomReader: Hashable, Sendable {
    private(set) var state = RoomState()
    /// Reactions that may be taken back, by their own ids; the last of them.
    private var reactions: [String: Reaction] = [:]
    private var reactionOrder: [String] = []

    private struct Reaction: Hashable, Sendable {
        var sender: String
        var key: String
        var message: String
    }

    private static let maximumReactions = 1000
    /// Where events were left out, what is older than this is not acted upon: its context is missing.
    private static let maximumAgeBehindGap = Duration.seconds(300)

    /// Takes what `/sync` says of the room.
    ///
    /// - Parameters:
    ///   - own: The account, whose events are not passed on.
    ///   - isHistory: It is all from before this process began to listen.
    /// - Returns: What people said, oldest first, without a channel.
    mutating func read(_ room: SyncBatch.Room, own: String, isHistory: Bool, now: WallTime) -> [ChatEvent] {
        for event in room.state { state.apply(event) }
        let join = room.timeline.lastIndex { Self.isJoin($0, of: own) }
        var heard: [ChatEvent] = []
        for (index, event) in room.timeline.enumerated() {
            // What was said before the account came in is none of its business.
            let isOld = isHistory || index <= join ?? -1
            let isBehindGap = room.isLimited && now - event.time > Self.maximumAgeBehindGap
            if !isOld, !isBehindGap, event.sender != own, let content = content(of: event) {
                heard.append(chatEvent(event, content))
            }
            state.apply(event)
        }
        return heard
    }

    /// Takes the content of a state event that was asked for.
    mutating func learn(_ type: String, _ content: JSON) {
        state.apply(RoomEvent(state: type, content: content))
    }

    private func chatEvent(_ event: RoomEvent, _ content: ChatEvent.Content) -> ChatEvent {
        let answered = event.relation?["m.in_reply_to"]?["event_id"]?.string
        let isThread = event.relation?["rel_type"]?.string == "m.thread"
        // In a thread, clients without threads are shown an answer that nobody gave.
        let isFallback = isThread && event.relation?["is_falling_back"]?.boolean == true
        return ChatEvent(
            id: event.id, channel: "", sender: event.sender, senderName: state.name(of: event.sender), time: event.time,
            content: content, thread: isThread ? event.relation?["event_id"]?.string : nil,
            repliesTo: isFallback ? nil : answered, power: state.power(of: event.sender))
    }

    /// What a person did with an event; nil for everything that is not passed on.
    private mutating func content(of event: RoomEvent) -> ChatEvent.Content? {
        guard
            !event.id.isEmpty, !event.isRedacted, event.stateKey == nil,
            // Ids that differ and look alike cannot be told apart by those who compare them.
            event.sender.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        switch event.type {
        case "m.room.message":
            guard
                event.content["msgtype"]?.string == "m.text", event.relation?["rel_type"]?.string != "m.replace",
                let body = event.content["body"]?.string
            else { return nil }
            return .text(event.relation?["m.in_reply_to"] == nil ? body : Self.withoutQuote(body))
        case "m.reaction":
            guard
                event.relation?["rel_type"]?.string == "m.annotation", let key = event.relation?["key"]?.string,
                let message = event.relation?["event_id"]?.string
            else { return nil }
            let plain = String(String.UnicodeScalarView(key.unicodeScalars.filter { $0.value != 0xFE0F }))
            remember(event.id, Reaction(sender: event.sender, key: plain, message: message))
            return .reaction(plain, message: message)
        case "m.room.redaction":
            // What a moderator takes away was not taken back by whoever had said it.
            guard let id = event.redacts, let reaction = reactions[id], reaction.sender == event.sender else {
                return nil
            }
            reactions[id] = nil
            return .unreaction(reaction.key, message: reaction.message)
        default:
            return nil
        }
    }

    private mutating func remember(_ id: String, _ reaction: Reaction) {
        if reactions.updateValue(reaction, forKey: id) == nil { reactionOrder.append(id) }
        if reactionOrder.count > Self.maximumReactions { reactions[reactionOrder.removeFirst()] = nil }
    }

    /// Takes the quote off that clients used to put before an answer ("Fallbacks for rich replies"): lines that begin with
    /// `> `, and an empty one behind them.
    static func withoutQuote(_ body: String) -> String {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first?.hasPrefix("> <") == true || lines.first?.hasPrefix("> * <") == true else { return body }
        var rest = lines.drop { $0.hasPrefix("> ") || $0 == ">" }
        if rest.first?.isEmpty == true { rest = rest.dropFirst() }
        return rest.joined(separator: "\n")
    }

    private static func isJoin(_ event: RoomEvent, of user: String) -> Bool {
        event.type == "m.room.member" && event.stateKey == user && event.content["membership"]?.string == "join"
            && event.previousContent?["membership"]?.string != "join"
    }
}

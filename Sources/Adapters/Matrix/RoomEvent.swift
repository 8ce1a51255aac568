import AdapterKit

/// An event as the homeserver gives it ("Room event format"). Everything in it was written by others.
struct RoomEvent: Hashable, Sendable {
    var id: String
    var type: String
    var sender: String
    /// Nil where the event is no state.
    var stateKey: String?
    /// By the sender's server.
    var time: WallTime
    var content: JSON
    /// What a redaction takes away.
    var redacts: String?
    /// Its content was taken away.
    var isRedacted: Bool
    /// What the content was before, of a state event that replaces another.
    var previousContent: JSON?

    /// Nil for what lacks a part that every event has.
    init?(_ json: JSON) {
        guard let type = json["type"]?.string, let sender = json["sender"]?.string else { return nil }
        let unsigned = json["unsigned"]
        self.type = type
        self.sender = sender
        id = json["event_id"]?.string ?? ""
        stateKey = json["state_key"]?.string
        let milliseconds = Int64(clamping: json["origin_server_ts"]?.integer ?? 0)
        time = WallTime(seconds: milliseconds / 1000, nanoseconds: Int32(max(0, milliseconds % 1000)) * 1_000_000)
        content = json["content"] ?? [:]
        redacts = json["redacts"]?.string ?? content["redacts"]?.string
        isRedacted = unsigned?["redacted_because"] != nil
        previousContent = unsigned?["prev_content"]
    }

    /// A state event of which the content alone is known.
    init(state type: String, content: JSON) {
        self.type = type
        self.content = content
        id = ""
        sender = ""
        stateKey = ""
        time = WallTime(seconds: 0)
        isRedacted = false
    }

    /// `m.relates_to`.
    var relation: JSON? { content["m.relates_to"] }
}

/// An answer to `/sync`.
struct SyncBatch: Hashable, Sendable {
    struct Room: Hashable, Sendable {
        /// As it was before the timeline.
        var state: [RoomEvent]
        /// Oldest first.
        var timeline: [RoomEvent]
        /// Events before the timeline are missing.
        var isLimited: Bool
    }

    /// Where the next one goes on.
    var next: String
    var joined: [String: Room]
    /// Left by the account, or kicked or banned from.
    var left: [String: Room]
    /// Rooms that the account was invited to.
    var invited: Set<String>

    /// Nil for what is not such an answer.
    init?(_ json: JSON) {
        guard let next = json["next_batch"]?.string, !next.isEmpty, next.utf8.count <= 4096 else { return nil }
        let rooms = json["rooms"]
        self.next = next
        joined = (rooms?["join"]?.members ?? [:]).mapValues(Room.init)
        left = (rooms?["leave"]?.members ?? [:]).mapValues(Room.init)
        invited = Set((rooms?["invite"]?.members ?? [:]).keys)
    }
}

extension SyncBatch.Room {
    fileprivate init(_ json: JSON) {
        state = (json["state"]?["events"]?.elements ?? []).compactMap(RoomEvent.init)
        timeline = (json["timeline"]?["events"]?.elements ?? []).compactMap(RoomEvent.init)
        isLimited = json["timeline"]?["limited"]?.boolean ?? false
    }
}

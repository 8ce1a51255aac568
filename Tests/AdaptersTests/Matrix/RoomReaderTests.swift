import AdapterKit
import Testing

@testable import MatrixAdapter

@Suite struct RoomReaderTests {
    private let now = WallTime(seconds: 1_791_547_320)

    private func event(
        _ type: String, _ content: JSON, sender: String = "@alice:x", id: String = "$1", key: String? = nil,
        secondsAgo: Int = 1, unsigned: JSON = [:]
    ) -> JSON {
        var members: [String: JSON] = [
            "type": .string(type), "content": content, "sender": .string(sender), "event_id": .string(id),
            "origin_server_ts": .integer((Int(now.seconds) - secondsAgo) * 1000), "unsigned": unsigned,
        ]
        members["state_key"] = key.map(JSON.string)
        return .object(members)
    }

    private func text(_ body: String, _ more: [String: JSON] = [:], id: String = "$1", secondsAgo: Int = 1) -> JSON {
        let content: [String: JSON] = ["msgtype": "m.text", "body": .string(body)]
        return event(
            "m.room.message", .object(content.merging(more) { _, new in new }), id: id, secondsAgo: secondsAgo)
    }

    private func room(state: [JSON] = [], _ timeline: [JSON], isLimited: Bool = false) throws -> SyncBatch.Room {
        let rooms: JSON = [
            "join": [
                "!r": [
                    "state": ["events": .array(state)],
                    "timeline": ["events": .array(timeline), "limited": .boolean(isLimited)],
                ]
            ]
        ]
        return try #require(SyncBatch(["next_batch": "s1", "rooms": rooms])?.joined["!r"])
    }

    private func read(
        _ timeline: JSON..., state: [JSON] = [], isHistory: Bool = false, isLimited: Bool = false
    ) throws -> [ChatEvent] {
        var reader = RoomReader()
        let room = try room(state: state, timeline, isLimited: isLimited)
        return reader.read(room, own: "@bot:x", isHistory: isHistory, now: now)
    }

    @Test func `a text is passed on with who said it, what they are called, and when`() throws {
        let name = event("m.room.member", ["membership": "join", "displayname": "Al\u{202E}ice\n"], key: "@alice:x")
        let heard = try #require(try read(text("!board"), state: [name]).first)
        #expect(heard.content == .text("!board"))
        #expect(heard.id == "$1")
        #expect(heard.sender == "@alice:x")
        #expect(heard.senderName == "Alice ")
        #expect(heard.time == WallTime(seconds: now.seconds - 1))
        #expect(heard.power == 0)
        #expect(heard.thread == nil)
    }

    @Test func `what nobody says now is not passed on`() throws {
        let said: [JSON] = [
            text("a", ["msgtype": "m.notice"]), text("a", ["msgtype": "m.emote"]),
            text("* a", ["m.relates_to": ["rel_type": "m.replace", "event_id": "$0"]]),
            event("m.room.message", ["msgtype": "m.text", "body": "mine"], sender: "@bot:x"),
            event("m.room.message", [:], unsigned: ["redacted_because": [:]]),
            event("m.room.message", ["msgtype": "m.text", "body": ["no": "text"]]),
            event("m.room.message", ["msgtype": "m.text", "body": "a"], key: ""),
            event("m.room.message", ["msgtype": "m.text", "body": "a"], id: ""),
            event("m.room.message", ["msgtype": "m.text", "body": "a"], sender: "@ali\u{441}e:x"),
            event("m.room.encrypted", ["ciphertext": "a"]), event("m.reaction", ["m.relates_to": ["key": "👍"]]),
            ["type": "m.room.message"], "text", 7, [],
        ]
        for event in said { #expect(try read(event).isEmpty, "\(event)") }
    }

    @Test func `history is not acted upon`() throws {
        #expect(try read(text("!approve"), isHistory: true).isEmpty)
        let join = event("m.room.member", ["membership": "join"], sender: "@bot:x", key: "@bot:x")
        #expect(try read(text("before"), join, text("after")).map(\.content) == [.text("after")])
        let renamed = event(
            "m.room.member", ["membership": "join"], sender: "@bot:x", key: "@bot:x",
            unsigned: ["prev_content": ["membership": "join"]])
        #expect(try read(text("before"), renamed, text("after")).count == 2)
    }

    @Test func `behind a gap only what is a few minutes old is passed on`() throws {
        let old = text("old", secondsAgo: 301)
        let new = text("new", id: "$2", secondsAgo: 299)
        #expect(try read(old, new, isLimited: true).map(\.content) == [.text("new")])
        #expect(try read(old, new).count == 2)
    }

    @Test(arguments: [
        ("> <@bot:x> Alert\n> second\n\nyes", "yes"), ("> * <@bot:x> waves\n\nyes\n> mine", "yes\n> mine"),
        ("> <@bot:x> Alert", ""), ("yes", "yes"), ("> my own quote\n\nyes", "> my own quote\n\nyes"),
    ])
    func `the quote that an answer carries is taken off`(body: String, text: String) throws {
        let relation: JSON = ["m.in_reply_to": ["event_id": "$0"]]
        let heard = try #require(try read(self.text(body, ["m.relates_to": relation])).first)
        #expect(heard.content == .text(text))
        #expect(heard.repliesTo == "$0")
        let plain = try #require(try read(self.text(body)).first)
        #expect(plain.content == .text(body))
    }

    @Test func `what is said in a thread names its first message`() throws {
        let relation: JSON = [
            "rel_type": "m.thread", "event_id": "$root", "is_falling_back": true, "m.in_reply_to": ["event_id": "$9"],
        ]
        let heard = try #require(try read(text("go on", ["m.relates_to": relation])).first)
        #expect(heard.thread == "$root")
        #expect(heard.repliesTo == nil)
    }

    @Test(arguments: ["👍", "👍\u{FE0F}"])
    func `a reaction is passed on without its variation selector, and when it is taken back`(key: String) throws {
        let relation: JSON = ["rel_type": "m.annotation", "event_id": "$alert", "key": .string(key)]
        let reaction = event("m.reaction", ["m.relates_to": relation], id: "$r")
        let byOther = event("m.room.redaction", ["redacts": "$r"], sender: "@mallory:x", id: "$2")
        let redaction = event("m.room.redaction", ["redacts": "$r"], id: "$3")
        let heard = try read(reaction, byOther, redaction, redaction)
        #expect(heard.map(\.content) == [.reaction("👍", message: "$alert"), .unreaction("👍", message: "$alert")])
        #expect(heard.map(\.id) == ["$r", "$3"])
    }

    @Test func `a thousand reactions and more are no burden`() throws {
        var reader = RoomReader()
        for number in 0..<3_000 {
            let relation: JSON = ["rel_type": "m.annotation", "event_id": "$alert", "key": "👍"]
            let reaction = event("m.reaction", ["m.relates_to": relation], id: "$r\(number)")
            _ = reader.read(try room([reaction]), own: "@bot:x", isHistory: false, now: now)
        }
        let first = event("m.room.redaction", ["redacts": "$r0"], id: "$a")
        let last = event("m.room.redaction", ["redacts": "$r2999"], id: "$b")
        let heard = reader.read(try room([first, last]), own: "@bot:x", isHistory: false, now: now)
        #expect(heard.map(\.id) == ["$b"])
    }

    // MARK: - Power

    private func power(_ create: JSON, _ levels: JSON?, creator: String = "@alice:x") throws -> Int? {
        let state =
            [event("m.room.create", create, sender: creator, key: "")]
            + (levels.map { [event("m.room.power_levels", $0, key: "")] } ?? [])
        return try read(text("a"), state: state).first?.power
    }

    @Test func `from version 12 on the creators may do everything`() throws {
        #expect(try power(["room_version": "12"], ["users": [:]]) == Int.max)
        #expect(
            try power(["room_version": "12", "additional_creators": ["@alice:x"]], [:], creator: "@carol:x") == Int.max)
        #expect(try power(["room_version": "12"], ["users_default": 5], creator: "@carol:x") == 5)
        #expect(try power(["room_version": "11"], ["users": [:]]) == 0)
        #expect(try power(["room_version": "11", "additional_creators": ["@alice:x"]], [:], creator: "@carol:x") == 0)
    }

    @Test func `power is what the room says at that moment`() throws {
        #expect(try power([:], ["users": ["@alice:x": 50]]) == 50)
        #expect(try power([:], ["users": ["@alice:x": "50"], "users_default": 1]) == 50)
        #expect(try power([:], ["users": ["@carol:x": 50], "users_default": 10]) == 10)
        #expect(try power([:], nil) == 100)
        #expect(try power([:], nil, creator: "@carol:x") == 0)
        let levels = event("m.room.power_levels", ["users": ["@alice:x": 100]], key: "")
        #expect(try read(text("a"), levels, text("b")).map(\.power) == [0, 100])
        let disguised = event("m.room.power_levels", ["users": ["@alice:x": 100]], key: "x")
        #expect(try read(disguised, text("b")).map(\.power) == [0])
    }

    @Test(arguments: ["{}", "[]", "7", #"{"next_batch": ""}"#, #"{"next_batch": 7}"#, "{", ""])
    func `what is no answer to sync is none`(text: String) {
        #expect(JSON(Array(text.utf8)).flatMap(SyncBatch.init) == nil)
    }

    @Test func `one value that cannot be read costs nothing else`() throws {
        let json = try #require(
            JSON(Array(#"{"a": 1e400, "b": 0.5, "c": "\ud800", "d": ["x", null], "e": true}"#.utf8)))
        #expect(json["b"] == .null)
        #expect(json["d"] == ["x", .null])
        #expect(json["e"] == true)
    }

    @Test func `what is nested without end is refused, not followed`() {
        let deep = String(repeating: "[", count: 200_000)
        #expect(JSON(Array(deep.utf8)) == nil)
        #expect(JSON(Array((String(repeating: "[", count: 400) + String(repeating: "]", count: 400)).utf8)) != nil)
    }

    @Test func `the oldest of the handled events are forgotten first`() {
        var handled = HandledEvents(capacity: 2)
        for id in ["a", "b", "b", "c"] { handled.insert(id) }
        #expect(!handled.contains("a"))
        #expect(handled.contains("b"))
        #expect(handled.contains("c"))
    }
}

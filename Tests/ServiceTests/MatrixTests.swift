import AdapterKit
import AdapterKitTesting
import Testing

@testable import MatrixAdapter

/// The Matrix adapter at a real Synapse.
@Suite(.timeLimit(.minutes(10))) struct MatrixTests {
    private func texts(_ messages: [JSON]) -> [String] {
        messages.compactMap { $0["content"]?["body"]?.string }
    }

    @Test func `what the bot says is read by another client, and what people do is heard`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM"])
        // Invited, by an alias, to a room of the newest version: its id names no server.
        #expect(!room.contains(":"))
        let bot = try MatrixBot(homeserver, room: "#invited:localhost")
        try await bot.running {
            let alert = try await self.conversation(bot, alice, room)
            let read = try await alice.messagesByNio(in: room)
            try self.check(read, alert)
        }
    }

    /// An alert, more in its thread, a picture, an edit of the alert; a reaction, and an answer in the thread.
    private func conversation(_ bot: MatrixBot, _ alice: MatrixPerson, _ room: String) async throws -> String {
        var delivery = MatrixBot.delivery("dlv_1", "<b>@room</b> & \"é\" 👩‍👩‍👧‍👦")
        delivery.mentions = [alice.user]
        guard case .delivered(let first) = await bot.deliver(delivery), let alert = first.ids.first else {
            Issue.record("the alert was not delivered")
            return ""
        }
        delivery = MatrixBot.delivery("dlv_2", "more")
        delivery.thread = AdapterKit.Delivery.Thread(root: first, latest: first)
        delivery.picture = Picture(
            bytes: Self.picture, mediaType: "image/png", width: 1, height: 1, description: "Costs")
        guard case .delivered(let second) = await bot.deliver(delivery) else {
            Issue.record("the second was not delivered")
            return ""
        }
        #expect(second.ids.count == 2)
        delivery = MatrixBot.delivery("dlv_3", "resolved")
        delivery.replaces = first
        #expect(await bot.deliver(delivery) == .delivered(Receipt(id: alert)))

        let relation: JSON = ["rel_type": "m.annotation", "event_id": .string(alert), "key": "👍\u{FE0F}"]
        let reaction = try await alice.send("m.reaction", ["m.relates_to": relation], to: room)
        try await alice.redact(reaction, in: room)
        let thread: JSON = [
            "rel_type": "m.thread", "event_id": .string(alert), "is_falling_back": true,
            "m.in_reply_to": ["event_id": .string(second.ids[0])],
        ]
        _ = try await alice.say("go on", in: room, ["m.relates_to": thread])
        let heard = await bot.heard.events(3)
        #expect(
            heard.map(\.content) == [.reaction("👍", message: alert), .unreaction("👍", message: alert), .text("go on")])
        #expect(heard.map(\.sender) == [alice.user, alice.user, alice.user])
        #expect(heard[2].thread == alert)
        #expect(heard[2].senderName == "alice")
        #expect(heard[2].power == Int.max)
        return alert
    }

    private func check(_ read: [JSON], _ alert: String) throws {
        let messages = read.filter { $0["class"]?.string?.hasPrefix("RoomMessage") == true }
        #expect(
            messages.map { $0["class"] } == [
                "RoomMessageNotice", "RoomMessageNotice", "RoomMessageImage", "RoomMessageNotice", "RoomMessageText",
            ])
        // The homeserver gives the alert as it was written; the edit is an event of its own.
        #expect(messages[0]["body"] == "@alice:localhost\n<b>@room</b> & \"é\" 👩‍👩‍👧‍👦")
        #expect(
            messages[0]["formatted"]?.string?.hasSuffix("<br>&lt;b&gt;@room&lt;/b&gt; &amp; &quot;é&quot; 👩‍👩‍👧‍👦") == true)
        #expect(messages[0]["mentions"] == ["user_ids": ["@alice:localhost"]])
        #expect(messages[1]["relation"]?["rel_type"] == "m.thread")
        #expect(messages[1]["relation"]?["event_id"]?.string == alert)
        #expect(messages[2]["url"]?.string?.hasPrefix("mxc://localhost/") == true)
        #expect(messages[2]["relation"]?["event_id"]?.string == alert)
        #expect(messages[3]["relation"] == ["rel_type": "m.replace", "event_id": .string(alert)])
        #expect(messages[3]["new"]?["body"] == "resolved")
        #expect(messages[3]["mentions"] == [:])
    }

    /// One white pixel.
    static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
        8, 0,
        0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x08, 0xD7, 0x63, 0xF8, 0x0F, 0, 1, 1,
        1, 0,
        0x1B, 0xB6, 0xEE, 0x56, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    @Test func `an edit of what was redacted is a new message`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let bot = try MatrixBot(homeserver, room: room)
        guard case .delivered(let first) = await bot.deliver(MatrixBot.delivery("dlv_1", "one")) else {
            Issue.record("the first was not delivered")
            return
        }
        try await alice.redact(try #require(first.ids.first), in: room)
        for (id, replaced) in [("dlv_2", first), ("dlv_3", Receipt(id: "$never-was"))] {
            var edit = MatrixBot.delivery(id, "in place of \(id)")
            edit.replaces = replaced
            guard case .delivered(let receipt) = await bot.deliver(edit) else {
                Issue.record("\(id) was not delivered")
                return
            }
            #expect(receipt != replaced)
        }
        #expect(texts(try await alice.messages(in: room)) == ["in place of dlv_2", "in place of dlv_3"])
    }

    @Test func `long texts fit, a picture that is too large becomes a line, and no text breaks anything`() async throws
    {
        let homeserver = try await Homeserver(["SYNAPSE_MAX_UPLOAD": "64K"])
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let bot = try MatrixBot(homeserver, room: room)
        let pieces = ["word ", "\\\"", "<&", "👩‍👩‍👧‍👦", "\u{0}\r\n\u{202E}@room <img src=x> "]
        for (number, piece) in pieces.enumerated() {
            let long = MatrixBot.delivery("dlv_\(number)", String(repeating: piece, count: 120_000 / piece.utf8.count))
            guard case .delivered(let receipt) = await bot.deliver(long) else {
                Issue.record("\(piece.debugDescription) was not delivered")
                return
            }
            #expect((1...3).contains(receipt.ids.count))
        }
        var chart = MatrixBot.delivery("dlv_chart")
        chart.message.chart = Chart(title: "Costs", points: [Chart.Point(label: "a", value: 1)])
        chart.picture = Picture(
            bytes: [UInt8](repeating: 7, count: 100_000), mediaType: "image/png", width: 640, height: 240,
            description: "Costs")
        guard case .delivered(let receipt) = await bot.deliver(chart) else {
            Issue.record("the chart was not delivered")
            return
        }
        #expect(receipt.ids.count == 1)
        #expect(texts(try await alice.messages(in: room)).last?.hasPrefix("Fix login failed\n\nCosts: a █") == true)
    }

    @Test func `an encrypted room is refused, also one that becomes so`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let encryption: JSON = ["algorithm": "m.megolm.v1.aes-sha2"]
        let state: JSON = [["type": "m.room.encryption", "state_key": "", "content": encryption]]
        let secret = try await alice.makeRoom(["initial_state": state])
        let outcome = await (try MatrixBot(homeserver, room: secret)).deliver(MatrixBot.delivery("dlv_1"))
        guard case .never(let reason, .channel) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("is encrypted"))
        let open = try await alice.makeRoom()
        let bot = try MatrixBot(homeserver, room: open)
        try await bot.running {
            guard case .delivered = await bot.deliver(MatrixBot.delivery("dlv_2")) else {
                Issue.record("it was not delivered")
                return
            }
            try await alice.setState("m.room.encryption", encryption, of: open)
            await bot.monitor.wait { $0 != .up }
            guard case .never(_, .channel) = await bot.deliver(MatrixBot.delivery("dlv_3")) else {
                Issue.record("it was sent")
                return
            }
        }
        #expect(try await alice.messages(in: open).count == 1)
        #expect(try await alice.messages(in: secret).isEmpty)
    }

    @Test func `a kicked bot says so, and comes back when it is invited`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let me = MatrixPerson(homeserver: homeserver, number: 1).user
        let room = try await alice.makeRoom()
        let other = try await alice.makeRoom()
        let bot = try MatrixBot(homeserver, room: room)
        try await bot.running {
            try await alice.tell("kick", me, in: room)
            await bot.monitor.wait { $0 != .up }
            let down = "the bot was removed from \(room) by @alice:localhost: invite it again"
            #expect(bot.monitor.reports.last == .down(reason: down))
            try await alice.tell("invite", me, in: room)
            await bot.monitor.wait { $0 == .up }
            guard case .delivered = await bot.deliver(MatrixBot.delivery("dlv_1")) else {
                Issue.record("it was not delivered")
                return
            }
        }
        #expect(!bot.traffic.targets.contains { $0.contains(MatrixRequest.join(other).target) })
    }

    @Test func `an upgraded room is followed, a stranger's is not`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let carol = MatrixPerson(homeserver: homeserver, number: 3)
        let store = MemoryStore()
        let room = try await alice.makeRoom(["room_version": "11"])
        let bot = try MatrixBot(homeserver, room: room, store: store)
        var upgraded = ""
        try await bot.running {
            let answer = try await alice.call(
                "POST", ["client", "v3", "rooms", room, "upgrade"], ["new_version": "12"])
            upgraded = try #require(answer["replacement_room"]?.string)
            // The new room is as private as the old one was.
            await bot.monitor.wait { $0 != .up }
            try await alice.tell("invite", MatrixPerson(homeserver: homeserver, number: 1).user, in: upgraded)
            await bot.monitor.wait { $0 == .up }
            guard case .delivered = await bot.deliver(MatrixBot.delivery("dlv_1", "in the new room")) else {
                Issue.record("it was not delivered")
                return
            }
        }
        #expect(texts(try await alice.messages(in: upgraded)) == ["in the new room"])

        let trap = try await carol.makeRoom(["preset": "public_chat"])
        let levels: JSON = ["users": ["@alice:localhost": 100, "@carol:localhost": 100]]
        let second = try await alice.makeRoom(["room_version": "11", "power_level_content_override": levels])
        try await alice.tell("invite", carol.user, in: second)
        try await carol.call("POST", ["client", "v3", "join", second], [:])
        try await carol.setState("m.room.tombstone", ["body": "moved", "replacement_room": .string(trap)], of: second)
        let outcome = await (try MatrixBot(homeserver, room: second)).deliver(MatrixBot.delivery("dlv_2"))
        guard case .never(let reason, .channel) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("was replaced by \(trap)"))
        #expect(try await carol.messages(in: trap).isEmpty)
    }
}

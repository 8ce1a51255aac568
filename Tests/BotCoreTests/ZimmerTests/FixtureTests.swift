import CEL
import CSimdjson
import Testing

@testable import BotCore

/// What holds of every answer that Zimmer is known to give.
@Suite struct FixtureTests {
    @Test func `every body is read, and read again as it was written`() throws {
        let names = try Fixture.names()
        #expect(names.count > 80)
        for name in names {
            let value = WireDecoder.dynamic(try Fixture.document(name))
            let stored = try ObjectCoder(types: []).decode(ObjectCoder(types: []).encode(value))
            #expect(stored.shown == value.shown, "\(name)")
        }
    }

    @Test func `every session in every body is decoded`() throws {
        let decoder = SessionDecoder(webURL: "https://z")
        var count = 0
        for name in try Fixture.names() where name != "sessions_tolerance" {
            let root = try Fixture.document(name)
            var rows = root["sessions"]?.elements.map(\.self) ?? []
            if let session = root["session"], session.kind == .object { rows.append(session) }
            for json in rows where json["metadata"] != nil {
                #expect(decoder.row(json) != nil, "\(name)")
                count += 1
            }
        }
        #expect(count > 80)
    }

    @Test func `notifications are read`() throws {
        let rows = try #require(Fixture.document("notifications")["notifications"]).elements
        let types = rows.map { WireDecoder.object(WorldSchema.notification, $0)["notification_type"].shown }
        #expect(Set(types).isSuperset(of: ["needs_input", "session_failed", "custom_message", "elicitation_pending"]))
    }

    @Test func `a queue shows what settles a lost follow-up`() throws {
        let rows = try #require(Fixture.document("enqueued_messages")["enqueued_messages"]).elements.map(\.self)
        #expect(rows.map { $0["status"]?.string } == ["pending", "pending", "undelivered"])
        #expect(rows.first?["content"]?.string?.hasPrefix("[HUMAN-AUTHORIZED MERGE]") == true)
        #expect(try #require(Fixture.document("enqueued_messages_empty")["enqueued_messages"]).count == 0)
        let conversation = try Fixture.document("conversation")
        #expect(conversation["messages"]?.elements.map { $0["role"]?.string }.first == "user")
        #expect(conversation["truncated"]?.bool == true)
    }

    @Test(arguments: ["sessions_tolerance", "session_show", "health_ok", "costs_1d"])
    func `a body with any byte changed is read as far as it goes`(fixture: String) throws {
        let bytes = try Fixture.bytes(fixture)
        let decoder = SessionDecoder(webURL: "https://z")
        let interesting = Array("\"\\{}[]:,0-eE.ut\u{0}\u{7f}".utf8) + [0xC3, 0xFF, 0xED]
        var read = 0
        for seed in 0..<500 {
            var broken = bytes
            let digest = zb_digest(nil, 0, UInt64(seed))
            broken[Int(digest % UInt64(bytes.count))] = interesting[Int(digest >> 32) % interesting.count]
            guard let root = try? JSONDocument(broken).root else { continue }
            read += 1
            var tracker = SessionTracker()
            for json in root["sessions"].map({ Array($0.elements) }) ?? [root["session"] ?? root] {
                guard let row = decoder.row(json) else { continue }
                let reading = tracker.reading(of: row, previous: nil, at: Fixture.now)
                #expect(reading.id == row.id)
            }
            let health = HealthReading(root, readAt: Fixture.now, serverDate: nil)
            let window = CostsInterval(from: Fixture.now, to: Fixture.now)
            let costs = CostsReading(root, window: window, readAt: Fixture.now, serverDate: nil)
            for object in [health.object, costs.object] {
                #expect(throws: Never.self) { try ObjectCoder().decode(ObjectCoder().encode(.object(object))) }
            }
        }
        #expect(read > 50)
    }
}

import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct ListingDecoderTests {
    private static let decoder = ListingDecoder(webURL: "https://zimmer.example.com/")

    private func rows(_ kind: ListingKind, _ fixture: String) throws -> [Listing.Row] {
        let list = try #require(Fixture.document(fixture)[kind.wireName])
        return list.elements.compactMap { Self.decoder.row($0, of: kind) }
    }

    @Test(arguments: [
        (ListingKind.notification, "notifications", 8), (.trigger, "triggers", 5), (.backlog, "work_backlog_items", 1),
    ])
    func `every declared field of every row can be read`(kind: ListingKind, fixture: String, count: Int) throws {
        let rows = try rows(kind, fixture)
        #expect(rows.count == count)
        let unreadable = rows.flatMap { row in
            zip(kind.type.fields, row.object.slots).filter(\.1.isUnavailable).map(\.0.name)
        }
        #expect(unreadable == [])
    }

    @Test func `a trigger has its conditions and its page`() throws {
        let trigger = try #require(rows(.trigger, "triggers").first).object
        #expect(trigger["url"].shown == "https://zimmer.example.com/triggers/7")
        #expect(trigger["status"].shown == "enabled")
        #expect(trigger["last_triggered_at"].shown == "2026-10-09T08:00:00Z")
        guard case .list(let conditions) = trigger["conditions"], case .object(let condition)? = conditions.first else {
            Issue.record("no conditions")
            return
        }
        #expect(condition["condition_type"].shown == "schedule")
        #expect(condition["configuration"].shown.contains("time: 02:00"))
    }

    @Test func `only a question that is open is one`() throws {
        let list = try #require(Fixture.document("elicitations")["elicitations"])
        let rows = list.elements.filter(ListingReader.isOpen).compactMap { Self.decoder.question($0, of: 1224) }
        let question = try #require(rows.first).object
        #expect(rows.map(\.id.description) == ["elicitation 61"])
        #expect(question["session_id"].shown == "1224")
        #expect(question["message"].shown == "Rename bucket reports-old to reports-2026?")
        #expect(question["requested_schema"].shown.contains("Rename it"))
        #expect(question["expires_at"].shown == "2026-10-09T12:50:00Z")
    }

    @Test func `a field of another type blanks that field alone`() throws {
        let json = #"{"id": 5, "session_id": "x", "notification_type": 7, "read": true}"#
        let row = try #require(Self.decoder.row(JSONDocument(Array(json.utf8)).root, of: .notification))
        #expect(row.object["id"].shown == "5")
        #expect(row.object["read"].shown == "true")
        for field in ["session_id", "notification_type", "created_at"] {
            #expect(row.object[field].isUnavailable, "\(field)")
        }
        #expect(row.object.joined { _ in .null }["session"].isUnavailable)
    }

    @Test(arguments: ["{}", #"{"id": "5"}"#, #"{"id": null}"#, "[]", "7"])
    func `a row without an id is none`(row: String) throws {
        let json = try #require(JSONDocument(Array(#"{"row": \#(row)}"#.utf8)).root["row"])
        #expect(Self.decoder.row(json, of: .trigger) == nil)
    }

    // MARK: - Tools

    private func tools(_ json: JSONValue) throws -> Object {
        try #require(json["cli_status"].map { Self.decoder.tools($0) }).object
    }

    @Test func `tools are by name, and those without a sign-in are listed`() throws {
        let clis = try tools(Fixture.document("clis_status"))
        #expect(clis["unauthenticated"].shown == "[cloudctl]")
        guard case .map(let map) = clis["tools"], case .object(let gh)? = map.entries.first?.value else {
            Issue.record("no tools")
            return
        }
        #expect([gh["name"], gh["authenticated"], gh["version"]].map(\.shown) == ["gh", "true", "2.80.0"])
    }

    @Test func `while Zimmer is looking it is not known who is signed in`() throws {
        let clis = try tools(Fixture.document("clis_status_loading"))
        #expect(clis["unauthenticated"].isUnavailable)
    }

    @Test(arguments: [#"{"cli_status": {}}"#, #"{"cli_status": {"tools": []}}"#])
    func `an answer without tools says nothing`(json: String) throws {
        let clis = try tools(JSONDocument(Array(json.utf8)).root)
        #expect(clis["tools"].isUnavailable)
        #expect(clis["unauthenticated"].isUnavailable)
    }
}

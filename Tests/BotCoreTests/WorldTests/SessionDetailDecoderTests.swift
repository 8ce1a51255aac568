import CEL
import Testing

@testable import BotCore

@Suite struct SessionDetailDecoderTests {
    private func json(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8)).root }

    @Test func `the page of a session has its summary, its parent and its children`() throws {
        let page = SessionDetailDecoder.page(try Fixture.document("session_show"), of: 1240)
        #expect(page[.summary]?.shown.hasPrefix("CSV export is done.") == true)
        #expect(page[.parentID]?.shown == "1202")
        #expect(page[.children]?.shown == "[1226]")
        #expect(page[.waitingText]?.shown == "null")
    }

    @Test func `a session that is nobody's child has no parent`() throws {
        let page = SessionDetailDecoder.page(
            try json(#"{"status_summary": null, "session_hierarchy": {"nodes": [{"id": 7, "current": true}]}}"#), of: 7)
        #expect(page[.summary]?.shown == "null")
        #expect(page[.parentID]?.shown == "null")
        #expect(page[.children]?.shown == "[]")
    }

    @Test func `what a page does not have is not known`() throws {
        let page = SessionDetailDecoder.page(try json("{}"), of: 7)
        for field in [SessionField.summary, .parentID, .children] { #expect(page[field]?.isUnavailable == true) }
        let part = try json(
            #"{"session_hierarchy": {"truncated": true, "nodes": [{"id": 7, "current": true, "parent_session_id": 3}]}}"#
        )
        #expect(SessionDetailDecoder.page(part, of: 7)[.children]?.isUnavailable == true)
        #expect(SessionDetailDecoder.page(part, of: 7)[.parentID]?.shown == "3")
    }

    @Test(arguments: [
        ("null", "null"), (#""At the limit""#, "At the limit"), ("[]", "null"),
        (#"[{"text": "Held by the quota", "tone": "warning"}, {"message": "Asleep"}]"#, "Held by the quota\nAsleep"),
        ("[7]", "error(unavailable)"), (#"{"tone": "warning"}"#, "error(unavailable)"),
    ])
    func `words for a wait are taken in any form`(waiting: String, text: String) throws {
        let page = SessionDetailDecoder.page(try json(#"{"waiting": \#(waiting)}"#), of: 7)
        #expect(page[.waitingText]?.shown == text)
    }

    @Test func `the last message is the newest with words`() throws {
        let values = SessionDetailDecoder.conversation(try Fixture.document("conversation"))
        #expect(values[.lastMessage]?.shown.hasPrefix("Done. https://github.com") == true)
        #expect(values[.lastMessageAt]?.shown == "2026-10-09T11:58:00Z")
    }

    @Test(arguments: [
        (#"{"messages": [], "truncated": false}"#, "null"),
        (#"{"messages": [{"role": "assistant", "content": " "}], "truncated": true}"#, "error(unavailable)"),
        (
            #"{"messages": [{"role": "user", "content": "Go"}, {"role": "system", "content": "x"}, {"role": "assistant", "content": ""}, 7]}"#,
            "Go"
        ),
        ("{}", "error(unavailable)"),
    ])
    func `messages without words are passed over`(conversation: String, last: String) throws {
        #expect(SessionDetailDecoder.conversation(try json(conversation))[.lastMessage]?.shown == last)
    }

    @Test func `the queue is counted by what becomes of its messages`() throws {
        let values = SessionDetailDecoder.queue(try Fixture.document("enqueued_messages"))
        #expect(values[.queued]?.shown == "2")
        #expect(values[.undelivered]?.shown == "1")
        let long = SessionDetailDecoder.queue(
            try json(#"{"enqueued_messages": [], "pagination": {"total_count": 101}}"#))
        #expect(long[.queued]?.isUnavailable == true)
    }

    /// `from` and `to` are those of the fixture.
    @Test func `the costs of everything are not taken for those of a session`() throws {
        let document = try Fixture.document("costs_1d")
        let window = CostsInterval(from: Fixture.now - .seconds(86_400), to: Fixture.now, session: 7)
        let all = CostsReading(document, window: window, readAt: Fixture.now, serverDate: nil)
        #expect(SessionDetailDecoder.costs(all, of: 7)[.costUSD]?.isUnavailable == true)
        let own = try json(
            #"{"window": {"from": "2026-10-08T12:00:00Z", "to": "2026-10-09T12:00:00Z"}, "totals": {"cost_usd": 2, "adhoc_cost_usd": 0}, "top_sessions": [{"session_id": 7, "cost_usd": 2}]}"#
        )
        let reading = CostsReading(own, window: window, readAt: Fixture.now, serverDate: nil)
        #expect(SessionDetailDecoder.costs(reading, of: 7)[.costUSD]?.shown == "2.0")
        #expect(SessionDetailDecoder.costs(reading, of: 8)[.costUSD]?.isUnavailable == true)
    }
}

import AdapterKit
import AdapterKitTesting
import Testing

@testable import WebhookAdapter

/// What each format sends for a message with everything in it.
@Suite struct WebhookFormatTests {
    private let message = Webhook.message(
        TextTree([
            .paragraph([.strong([.text("Fix login")]), .text(" failed: "), .code("process_failed")]),
            .list(start: 3, items: [[.paragraph([.text("one")])], [.paragraph([.text("two")])]]),
            .quote([.paragraph([.emphasis([.text("why")])])]),
            .code("let a = 1", language: "swift"),
            .paragraph([.link([.text("more")], url: "https://example.com/a(b)")]),
        ]), title: "A title", urgency: .high)

    private func body(_ format: String) throws -> String {
        let parts = try Webhook.adapter(format).render(
            Delivery(id: DeliveryID("dlv_1"), message: message, attempt: 1))
        #expect(parts.count == 1)
        return String(decoding: try #require(parts.first).bytes, as: UTF8.self)
    }

    @Test func `slack gets rich text`() throws {
        let expected =
            #"{"text":"A title\n\nFix login failed: process_failed\n\n3. one\n4. two\n\n&gt; why\n\nlet a = 1\n\n"#
            + #"more (https://example.com/a%28b%29)","blocks":[{"type":"rich_text","elements":["#
            + #"{"type":"rich_text_section","elements":[{"type":"text","text":"A title","style":{"bold":true}},"#
            + #"{"type":"text","text":"\n\n"},{"type":"text","text":"Fix login","style":{"bold":true}},"#
            + #"{"type":"text","text":" failed: "},{"type":"text","text":"process_failed","style":{"code":true}}]},"#
            + #"{"type":"rich_text_list","style":"ordered","indent":0,"offset":2,"elements":["#
            + #"{"type":"rich_text_section","elements":[{"type":"text","text":"one"}]},"#
            + #"{"type":"rich_text_section","elements":[{"type":"text","text":"two"}]}]},"#
            + #"{"type":"rich_text_quote","elements":[{"type":"text","text":"why","style":{"italic":true}}]},"#
            + #"{"type":"rich_text_preformatted","elements":[{"type":"text","text":"let a = 1"}]},"#
            + #"{"type":"rich_text_section","elements":["#
            + #"{"type":"link","url":"https://example.com/a%28b%29","text":"more"}]}]}],"#
            + #""unfurl_links":false,"unfurl_media":false}"#
        #expect(try body("slack") == expected)
    }

    private let markdown =
        #"**A title**\n\n**Fix login** failed: `process_failed`\n\n3. one\n4. two\n\n> *why*\n\n"#
        + #"```swift\nlet a = 1\n```\n\n[more](https://example.com/a%28b%29)"#

    @Test func `discord gets its Markdown, and calls nobody`() throws {
        #expect(
            try body("discord") == #"{"content":"\#(markdown)","#
                + #""allowed_mentions":{"parse":[],"users":[],"roles":[]},"flags":4}"#)
    }

    @Test func `mattermost gets its Markdown`() throws {
        #expect(try body("mattermost") == #"{"text":"\#(markdown)"}"#)
    }

    private let plain =
        #"Fix login failed: process_failed\n\n3. one\n4. two\n\n> why\n\nlet a = 1\n\n"#
        + #"more (https://example.com/a%28b%29)"#

    @Test func `ntfy gets plain text for its topic`() throws {
        #expect(
            try body("ntfy") == #"{"topic":"path-secret","message":"\#(plain)","priority":5,"title":"A title","#
                + #""click":"https://zimmer.example.com/sessions/7"}"#)
    }

    @Test func `gotify gets plain text`() throws {
        #expect(
            try body("gotify") == #"{"title":"A title","message":"\#(plain)","priority":8,"#
                + #""extras":{"client::display":{"contentType":"text/plain"},"#
                + #""client::notification":{"click":{"url":"https://zimmer.example.com/sessions/7"}}}}"#)
    }

    @Test func `alertmanager's receivers get a group of one alert`() throws {
        let labels =
            #"{"alertname":"failed-session","subject_type":"session","subject_id":"7","severity":"critical"}"#
        let annotations = #"{"summary":"A title","description":"\#(plain)","kind":"firing"}"#
        #expect(
            try body("alertmanager") == #"{"version":"4","groupKey":"{}:{alertname=\"failed-session\"}","#
                + #""truncatedAlerts":0,"status":"firing","receiver":"ops","#
                + #""groupLabels":{"alertname":"failed-session"},"commonLabels":\#(labels),"#
                + #""commonAnnotations":\#(annotations),"externalURL":"https://zimmer.example.com/sessions/7","#
                + #""alerts":[{"status":"firing","labels":\#(labels),"annotations":\#(annotations),"#
                + #""startsAt":"2026-10-09T12:02:00Z","endsAt":"0001-01-01T00:00:00Z","#
                + #""generatorURL":"https://zimmer.example.com/sessions/7","fingerprint":"7d9c8c72d994d1b7"}]}"#)
    }

    @Test func `an alert that is over has an end, and is the same alert`() throws {
        func alert(_ kind: Message.Kind, _ urgency: Message.Urgency) throws -> [String: Any] {
            let message = Webhook.message(TextTree(text: "x"), kind: kind, urgency: urgency)
            let body = try #require(try Webhook.bodies("alertmanager", message).first)
            return try #require((body["alerts"] as? [[String: Any]])?.first)
        }
        let (begun, over) = (try alert(.firing, .high), try alert(.resolved, .normal))
        #expect(over["status"] as? String == "resolved")
        #expect(over["endsAt"] as? String == "2026-10-09T12:02:00Z")
        #expect(begun["fingerprint"] as? String == over["fingerprint"] as? String)
    }

    @Test(arguments: Webhook.formats)
    func `a chart is a line of text`(format: String) throws {
        let chart = Chart(
            title: "Costs", points: [Chart.Point(label: "Mon", value: 1), Chart.Point(label: "Tue", value: 2)])
        let parts = try Webhook.adapter(format).render(
            Delivery(
                id: DeliveryID("dlv_1"), message: Webhook.message(TextTree(text: "x"), chart: chart), attempt: 1))
        #expect(String(decoding: parts.flatMap(\.bytes), as: UTF8.self).contains("Costs: Mon ▄█ Tue, at most $2.00"))
    }

    @Test(arguments: Webhook.chats)
    func `a message that may be there already says so`(format: String) throws {
        let message = Webhook.message(TextTree(text: "x"))
        func text(_ mayBeRepeated: Bool) throws -> String {
            "\(try Webhook.bodies(format, message, mayBeRepeated: mayBeRepeated))"
        }
        #expect(try text(true).contains("may have been sent before"))
        #expect(!(try text(false).contains("may have been sent before")))
    }

    @Test(arguments: Webhook.formats)
    func `only a receiver that gets the id recognises a repetition`(format: String) async throws {
        let transport = RecordingTransport(HTTPResponse(status: 200))
        let adapter = try Webhook.adapter(format, transport: transport)
        _ = await adapter.deliver(Delivery(id: DeliveryID("dlv_1"), message: message, attempt: 1))
        let hasID = transport.requests.first?.header("webhook-id") == "dlv_1"
        #expect(adapter.recognizesRepeats == hasID)
        #expect(hasID == ["json", "alertmanager"].contains(format))
    }
}

import AdapterKit
import AdapterKitTesting
import Testing

@testable import MatrixAdapter

@Suite struct EventComposerTests {
    private let composer = EventComposer(isNotice: true)

    private func message(_ text: String, title: String? = nil) -> Message {
        var message = AdapterContract.message
        message.body = TextTree([.paragraph([.text(text)])])
        message.title = title
        return message
    }

    private func events(_ delivery: Delivery) -> [OutgoingEvent] {
        composer.parts(of: delivery, showsPicture: delivery.picture != nil).map {
            composer.event($0, in: delivery.thread)
        }
    }

    @Test func `a message is a notice with its text twice, and calls nobody`() throws {
        let event = try #require(events(Matrix.delivery()).first)
        #expect(event.transaction == "dlv_1-1")
        let expected: JSON = [
            "msgtype": "m.notice", "body": "Fix login failed", "format": "org.matrix.custom.html",
            "formatted_body": "<strong>Fix login</strong> failed", "m.mentions": [:],
        ]
        #expect(event.content == expected)
    }

    @Test func `a title is a strong first line`() throws {
        let event = try #require(events(Matrix.delivery("dlv_1", message("b", title: "a <b>"))).first)
        #expect(event.content["body"] == "a <b>\n\nb")
        #expect(event.content["formatted_body"] == "<p><strong>a &lt;b&gt;</strong></p><p>b</p>")
    }

    @Test func `as a person's text it is one`() throws {
        let part = try #require(composer.parts(of: Matrix.delivery(), showsPicture: false).first)
        #expect(EventComposer(isNotice: false).event(part, in: nil).content["msgtype"] == "m.text")
    }

    @Test(arguments: [
        "@room", "hello @room and @alice:example.com", "\u{0}\r\n<a href='https://matrix.to/#/@a:b'>x</a>",
    ])
    func `text of others calls nobody and is nothing but text`(text: String) throws {
        let event = try #require(events(Matrix.delivery("dlv_1", message(text))).first)
        #expect(event.content["m.mentions"] == [:])
        let html = try #require(event.content["formatted_body"]?.string)
        #expect(!html.contains("<"))
        #expect(html.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test func `those whom the channel names are called, once`() throws {
        var delivery = Matrix.delivery()
        delivery.mentions = ["@alice:example.com", "@room", "alice", "@alice:example.com", "@a\"b:c", "@nobody"]
        let event = try #require(events(delivery).first)
        #expect(event.content["m.mentions"] == ["user_ids": ["@alice:example.com"], "room": true])
        #expect(event.content["body"] == "@alice:example.com @room\nFix login failed")
        let pill = "<a href=\"https://matrix.to/#/@alice:example.com\">@alice:example.com</a>"
        #expect(event.content["formatted_body"]?.string == "\(pill) @room<br><strong>Fix login</strong> failed")
    }

    @Test func `a thread's message names the first and the latest of it`() throws {
        var delivery = Matrix.delivery()
        delivery.thread = Delivery.Thread(
            root: Receipt(ids: ["$root", "$b"]), latest: Receipt(ids: ["$c", "$latest"]))
        let expected: JSON = [
            "rel_type": "m.thread", "event_id": "$root", "is_falling_back": true,
            "m.in_reply_to": ["event_id": "$latest"],
        ]
        #expect(events(delivery).first?.content["m.relates_to"] == expected)
    }

    @Test func `an edit replaces the original, and calls nobody again`() throws {
        var delivery = Matrix.delivery()
        delivery.mentions = ["@alice:example.com"]
        delivery.replaces = Receipt(ids: ["$first", "$second"])
        delivery.thread = Delivery.Thread(root: Receipt(id: "$root"), latest: Receipt(id: "$latest"))
        let event = composer.event(composer.edit(of: delivery), replacing: "$first")
        #expect(event.transaction == "dlv_1-edit")
        #expect(event.content["m.relates_to"] == ["rel_type": "m.replace", "event_id": "$first"])
        #expect(event.content["m.mentions"] == [:])
        #expect(event.content["body"]?.string?.hasPrefix("* ") == true)
        let new = try #require(event.content["m.new_content"])
        #expect(new["m.mentions"] == ["user_ids": ["@alice:example.com"]])
        #expect(new["body"] == "@alice:example.com\nFix login failed")
        #expect(new["m.relates_to"] == nil)
    }

    @Test(arguments: ["word ", "\\\"", "👩‍👩‍👧‍👦", "<", "\u{0}", "é\u{301}\u{301}\u{301}"])
    func `a long text is sent in three parts at most, each small enough`(piece: String) throws {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        var delivery = Matrix.delivery("dlv_1", message(text))
        delivery.thread = Delivery.Thread(root: Receipt(id: "$root"), latest: Receipt(id: "$root"))
        let events = events(delivery)
        #expect((1...3).contains(events.count))
        #expect(events.map(\.transaction) == (1...events.count).map { "dlv_1-\($0)" })
        for event in events { #expect(event.content.bytes.count < 50_000) }
        guard events.count > 1, let last = events.last?.content["body"]?.string else { return }
        #expect(events.first?.content["body"]?.string?.hasPrefix("(1/3) ") == true)
        #expect(last.hasPrefix("(3/3) "))
        #expect(last.hasSuffix("B: https://zimmer.example.com/sessions/7"))
    }

    @Test func `an edit of a long text is one event, small enough`() {
        let delivery = Matrix.delivery("dlv_1", message(String(repeating: "word \"", count: 20_000)))
        #expect(composer.event(composer.edit(of: delivery), replacing: "$1").content.bytes.count < 50_000)
    }

    @Test func `a title of five thousand characters is sent whole`() throws {
        let title = String(repeating: "👩‍👩‍👧‍👦 a<&é", count: 1_000)
        let texts = events(Matrix.delivery("dlv_1", message("b", title: title))).compactMap {
            $0.content["body"]?.string
        }
        let sent = texts.joined().replacing("(1/2) ", with: "").replacing("(2/2) ", with: "")
        #expect(sent.filter { !$0.isWhitespace } == title.filter { !$0.isWhitespace } + "b")
    }

    @Test func `only whole numbers stand in an event`() throws {
        let picture = Picture(bytes: [1, 2, 3], mediaType: "image/png", width: 640, height: 240, description: "Costs")
        let event = EventComposer.event(picture, at: "mxc://example.com/a", for: Matrix.delivery())
        #expect(event.transaction == "dlv_1-picture")
        let expected =
            #"{"body":"Costs","filename":"chart.png","info":{"h":240,"mimetype":"image/png","size":3,"w":640},"#
            + #""m.mentions":{},"msgtype":"m.image","url":"mxc://example.com/a"}"#
        #expect(String(decoding: event.content.bytes, as: UTF8.self) == expected)
    }

    @Test func `a chart without a picture is a line of the text`() throws {
        var message = message("Costs")
        message.chart = Chart(
            title: "Per day", points: [Chart.Point(label: "a", value: 1), Chart.Point(label: "b", value: 2)])
        let event = try #require(events(Matrix.delivery("dlv_1", message)).first)
        #expect(event.content["body"]?.string == "Costs\n\nPer day: a ▄█ b, at most $2.00")
    }
}

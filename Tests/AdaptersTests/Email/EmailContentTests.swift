import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@testable import EmailAdapter

/// What a mail is made of.
@Suite struct EmailContentTests {
    private let message = Message(
        kind: .firing, urgency: .high, channel: "mail", rule: "failed-session",
        subject: Message.Subject(type: "session", id: "7", url: "https://zimmer.example.com/sessions/7"), episode: 1,
        time: WallTime(seconds: 1_791_547_320), title: "Fix <login> – failed",
        body: TextTree([
            .heading(level: 2, [.text("Why & how")]),
            .paragraph([
                .strong([.text("a<b")]), .lineBreak, .code("x > y"), .text(" "),
                .link([.text("more")], url: "https://example.com/?a=\"b\""),
            ]), .list(start: 3, items: [[.paragraph([.text("one")])]]),
        ]), markdown: "")

    private func delivery(_ message: Message, thread: Delivery.Thread? = nil, picture: Picture? = nil) -> Delivery {
        Delivery(id: DeliveryID("dlv_1"), message: message, attempt: 1, thread: thread, picture: picture)
    }

    private func content(_ delivery: Delivery) throws -> String {
        String(decoding: try Email.composer().content(delivery), as: UTF8.self)
    }

    @Test func `a mail is text and HTML, signed with where it comes from`() throws {
        let expected = """
            Date: Fri, 09 Oct 2026 12:02:00 +0000
            From: =?UTF-8?B?WmltbWVyIMKpIEJvdA==?= <bot@example.com>
            To: ann@example.com,
             Bob <bob@example.com>
            Subject: =?UTF-8?B?Rml4IDxsb2dpbj4g4oCTIGZhaWxlZA==?=
            Message-ID: <dlv_1@example.com>
            Auto-Submitted: auto-generated
            X-Auto-Response-Suppress: All
            Importance: high
            MIME-Version: 1.0
            Content-Type: multipart/alternative;
             boundary="=_dlv_1.a"

            --=_dlv_1.a
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            Why & how

            a<b
            x > y more (https://example.com/?a=3D%22b%22)

            3. one

            --=_dlv_1.a
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <!DOCTYPE html>
            <html><head><meta charset=3D"utf-8"></head><body>
            <h2>Why &amp; how</h2>
            <p><strong>a&lt;b</strong><br>
            <code>x &gt; y</code> <a href=3D"https://example.com/?a=3D%22b%22">more</a>=
            </p>
            <ol start=3D"3"><li><p>one</p>
            </li>
            </ol>
            </body></html>

            --=_dlv_1.a--

            """
        #expect(try content(delivery(message)).replacing("\r\n", with: "\n") == expected)
    }

    @Test func `every try sends the same bytes`() throws {
        var second = delivery(message)
        second.attempt = 2
        second.mayBeRepeated = true
        #expect(try content(delivery(message)) == content(second))
    }

    @Test func `a mail of a thread names the mails before it`() throws {
        let thread = Delivery.Thread(
            root: Receipt(id: "dlv_a@example.com"), latest: Receipt(id: "dlv_b@example.com"))
        let text = try content(delivery(message, thread: thread))
        #expect(text.contains("\r\nIn-Reply-To: <dlv_b@example.com>\r\n"))
        #expect(text.contains("\r\nReferences: <dlv_a@example.com>\r\n <dlv_b@example.com>\r\n"))
    }

    @Test(arguments: ["", "x", "a@b>\r\nX-Evil: 1", "a b@c", "ü@x"])
    func `an id that is none is left out`(id: String) throws {
        let thread = Delivery.Thread(root: Receipt(id: id), latest: Receipt(ids: []))
        let text = try content(delivery(message, thread: thread))
        #expect(!text.contains("References") && !text.contains("In-Reply-To") && !text.contains("X-Evil"))
    }

    @Test func `a chart's picture stands in the HTML and its words in the text`() throws {
        var message = message
        message.chart = Chart(title: "Costs", points: [Chart.Point(label: "Mon", value: 1)])
        let picture = Picture(
            bytes: Array(repeating: 7, count: 100), mediaType: "image/png", width: 800, height: 400,
            description: "Costs \"per\" day")
        let text = try content(delivery(message, picture: picture))
        #expect(
            text.contains("Content-Type: multipart/related; type=\"multipart/alternative\";\r\n boundary=\"=_dlv_1\""))
        #expect(text.contains("\r\nContent-ID: <chart.dlv_1@example.com>\r\n"))
        let unfolded = text.replacing("=\r\n", with: "")
        #expect(unfolded.contains("<img src=3D\"cid:chart.dlv_1@example.com\" alt=3D\"Costs &quot;per&quot; day\""))
        #expect(text.contains("\r\n\r\nCosts \"per\" day\r\n"))
        #expect(text.contains(Data(picture.bytes.prefix(57)).base64EncodedString() + "\r\n"))
        #expect(!text.contains("▁") && !text.contains("=E2=96"))
    }

    @Test func `without a picture the chart is a line`() throws {
        var message = message
        message.chart = Chart(title: "Costs", points: [Chart.Point(label: "Mon", value: 1)])
        #expect(try content(delivery(message)).contains("Costs: Mon =E2=96=88 Mon, at most $1.00"))
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"), (1_791_590_399, "Fri, 09 Oct 2026 23:59:59 +0000"),
    ])
    func `a date is written as mails write it`(seconds: Int, expected: String) {
        #expect(WallTime(seconds: Int64(seconds)).mailDate == expected)
    }
}

enum Email {
    static let values: [String: ConfigurationValue] = [
        "server": .text("smtps://mail.example.com"), "user": .text("bot"), "password": .secret(Secret("mail-S3CRET")),
        "from": .text("Zimmer © Bot <bot@example.com>"),
        "to": .textList(["ann@example.com", "Bob <bob@example.com>"]),
    ]

    static func composer() throws -> MailComposer {
        let addresses = try ["Zimmer © Bot <bot@example.com>", "ann@example.com", "Bob <bob@example.com>"].map {
            try #require(MailAddress($0))
        }
        return MailComposer(from: addresses[0], to: Array(addresses[1...]))
    }
}

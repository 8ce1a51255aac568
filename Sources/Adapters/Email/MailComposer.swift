import AdapterKit

/// Makes a mail of a delivery, the same bytes on every try: plain text and HTML, with the chart's picture inside.
struct MailComposer: Sendable {
    let from: MailAddress
    let to: [MailAddress]

    /// UTF-8 bytes of text; no message is so long that was meant to be read.
    private static let limit = 400_000

    /// `dlv_…@example.com`, without the angle brackets.
    func messageID(_ delivery: Delivery) -> String {
        "\(delivery.id.text)@\(from.domain)"
    }

    func content(_ delivery: Delivery) -> [UInt8] {
        let tree = text(delivery)
        let boundary = "=_\(delivery.id.text)"
        let content: Entity
        if let picture = delivery.picture {
            let id = "chart.\(messageID(delivery))"
            content = .several(
                "related; type=\"multipart/alternative\"", boundary: boundary,
                [alternatives(tree, boundary, picture: (id, picture)), .picture(picture, id: id)])
        } else {
            content = alternatives(tree, boundary, picture: nil)
        }
        return Array((head(delivery, tree) + content.text).utf8)
    }

    private func head(_ delivery: Delivery, _ tree: TextTree) -> String {
        let message = delivery.message
        var header = MailHeader()
        header.add("Date", message.time.mailDate)
        header.add("From", [from])
        header.add("To", to)
        header.add("Subject", text: subject(message, tree))
        header.add("Message-ID", ids: [messageID(delivery)])
        let earlier = earlier(delivery)
        header.add("In-Reply-To", ids: Array(earlier.suffix(1)))
        header.add("References", ids: earlier)
        header.add("Auto-Submitted", "auto-generated")
        header.add("X-Auto-Response-Suppress", "All")
        if message.urgency == .high { header.add("Importance", "high") }
        header.add("MIME-Version", "1.0")
        return header.text
    }

    /// The title, else the first line.
    private func subject(_ message: Message, _ tree: TextTree) -> String {
        let line = message.title ?? tree.plainText.split(separator: "\n").first.map(String.init) ?? ""
        let words = line.printableLine.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? message.kind.rawValue : words.clipped(to: 200)
    }

    /// The mails of the thread that this one follows, oldest first.
    private func earlier(_ delivery: Delivery) -> [String] {
        let receipts = delivery.thread.map { [$0.root, $0.latest] } ?? delivery.replaces.map { [$0] } ?? []
        var ids: [String] = []
        for id in receipts.compactMap(\.ids.first) where Self.isMessageID(id) && !ids.contains(id) { ids.append(id) }
        return ids
    }

    private static func isMessageID(_ text: String) -> Bool {
        (3...300).contains(text.utf8.count) && text.contains("@")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }

    private func text(_ delivery: Delivery) -> TextTree {
        let message = delivery.message
        var tree = message.body.printable
        if let chart = message.chart, delivery.picture == nil {
            tree.blocks.append(.paragraph([.text(chart.sparkline)]))
        }
        let parts = tree.numberedParts(atMost: 1, of: Self.limit, url: message.subject?.pageURL) {
            $0.plainText.utf8.count
        }
        return parts.first ?? TextTree(text: message.title?.printableLine ?? message.kind.rawValue)
    }

    private func alternatives(_ tree: TextTree, _ boundary: String, picture: (id: String, picture: Picture)?) -> Entity
    {
        var plain = tree.plainText + "\n"
        if let picture { plain += "\n\(picture.picture.description.printableLine)\n" }
        return .several(
            "alternative", boundary: boundary + ".a",
            [.text(plain, "plain"), .text(MailHTML(tree, picture: picture).text, "html")])
    }
}

/// A part of a mail with the headers that say what it is (RFC 2045, RFC 2046).
private struct Entity {
    var text: String

    static func text(_ text: String, _ subtype: String) -> Entity {
        Entity(
            text: """
                Content-Type: text/\(subtype); charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                \(MailEncoding.quotedPrintable(text))\r

                """)
    }

    static func picture(_ picture: Picture, id: String) -> Entity {
        let type = picture.mediaType == "image/png" ? "image/png" : "application/octet-stream"
        return Entity(
            text: """
                Content-Type: \(type); name="chart.png"\r
                Content-Disposition: inline; filename="chart.png"\r
                Content-ID: <\(id)>\r
                Content-Transfer-Encoding: base64\r
                \r
                \(MailEncoding.base64(picture.bytes))\r

                """)
    }

    /// A boundary cannot occur in a part: `=_` stands in no quoted-printable and no base64.
    static func several(_ subtype: String, boundary: String, _ parts: [Entity]) -> Entity {
        let head = "Content-Type: multipart/\(subtype);\r\n boundary=\"\(boundary)\"\r\n\r\n"
        return Entity(
            text: parts.reduce(head) { "\($0)--\(boundary)\r\n\($1.text)" } + "--\(boundary)--\r\n")
    }
}

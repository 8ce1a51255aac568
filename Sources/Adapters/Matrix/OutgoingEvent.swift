import AdapterKit

/// An `m.room.message` on its way.
struct OutgoingEvent: Hashable, Sendable {
    /// Made of the delivery's id: the same on every try, after restarts too, and another one for each event of a delivery
    /// (a homeserver takes a repeated transaction for the event that it has, whatever its text).
    var transaction: String
    var content: JSON

    /// What an uploaded picture is called.
    static func fileName(of picture: Picture) -> String {
        let endings = ["image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg"]
        return "chart.\(endings[picture.mediaType] ?? "bin")"
    }
}

/// The texts of an event: both carry the whole of it.
struct EventText: Hashable, Sendable {
    var body: String
    var html: String

    /// What it needs in the event, with its escapes.
    var size: Int { Self.size(body) + Self.size(html) }

    private static func size(_ text: String) -> Int {
        let escaped = [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n")]
        return text.utf8.reduce(0) { $0 + (escaped.contains($1) ? 2 : 1) }
    }
}

extension EventText {
    init(_ tree: TextTree) {
        self.init(body: tree.plainText.printableText, html: HTMLWriter.html(tree))
    }

    /// The same behind the names of those who are called.
    func calling(_ mentions: Mentions) -> EventText {
        guard !mentions.isEmpty else { return self }
        return EventText(body: "\(mentions.body)\n\(body)", html: "\(mentions.html)<br>\(html)")
    }
}

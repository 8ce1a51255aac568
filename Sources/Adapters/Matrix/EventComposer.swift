import AdapterKit

/// Makes the events of a delivery. Knows nothing of the homeserver.
struct EventComposer: Hashable, Sendable {
    /// `m.notice`, which other bots do not answer.
    var isNotice: Bool

    /// A part of a message, before it becomes an event.
    struct Part: Hashable, Sendable {
        var tree: TextTree
        var transaction: String
        var mentions: Mentions
    }

    /// How many bytes of text an event may hold: it has 64 KiB in all, some of which the homeserver adds.
    private static let limit = 40_000
    /// An edit has its text twice.
    private static let editLimit = 20_000
    private static let maximumParts = 3

    // MARK: - Parts

    /// - Parameter showsPicture: false where the chart has to be a line of text.
    func parts(of delivery: Delivery, showsPicture: Bool) -> [Part] {
        let mentions = Mentions(delivery.mentions)
        let trees = Self.tree(of: delivery, showsPicture: showsPicture).numberedParts(
            atMost: Self.maximumParts, of: Self.limit - EventText(body: "", html: "").calling(mentions).size,
            url: delivery.message.subject?.url, size: Self.size)
        return trees.enumerated().map { index, tree in
            Part(tree: tree, transaction: "\(delivery.id)-\(index + 1)", mentions: index == 0 ? mentions : Mentions())
        }
    }

    /// What takes the place of an earlier message: one event, since one is replaced.
    func edit(of delivery: Delivery) -> Part {
        let tree = Self.tree(of: delivery, showsPicture: false)
        let parts = tree.numberedParts(
            atMost: 1, of: Self.editLimit, url: delivery.message.subject?.url, size: Self.size)
        return Part(
            tree: parts.first ?? tree, transaction: "\(delivery.id)-edit", mentions: Mentions(delivery.mentions))
    }

    /// The beginning of a part that the homeserver found too large.
    func smaller(_ part: Part, url: String?) -> Part {
        var smaller = part
        smaller.tree =
            part.tree.numberedParts(atMost: 1, of: Self.limit / 8, url: url, size: Self.size).first ?? part.tree
        smaller.transaction += "-short"
        return smaller
    }

    private static func tree(of delivery: Delivery, showsPicture: Bool) -> TextTree {
        var tree = delivery.message.body
        if let title = delivery.message.title {
            tree.blocks.insert(.paragraph([.strong([.text(title)])]), at: 0)
        }
        if let chart = delivery.message.chart, !showsPicture {
            tree.blocks.append(.paragraph([.text(chart.sparkline)]))
        }
        return tree
    }

    private static func size(of tree: TextTree) -> Int {
        EventText(tree).size
    }

    // MARK: - Events

    /// - Parameter thread: that the message belongs to.
    func event(_ part: Part, in thread: Delivery.Thread?) -> OutgoingEvent {
        var content = content(EventText(part.tree).calling(part.mentions), part.mentions)
        content["m.relates_to"] = thread.flatMap(Self.relation)
        return OutgoingEvent(transaction: part.transaction, content: .object(content))
    }

    /// "Event replacements". Who is called was called by the original: the edit itself calls nobody.
    ///
    /// - Parameter original: never an edit itself.
    func event(_ part: Part, replacing original: String) -> OutgoingEvent {
        let text = EventText(part.tree).calling(part.mentions)
        var content = content(EventText(body: "* \(text.body)", html: "* \(text.html)"), Mentions())
        content["m.new_content"] = .object(self.content(text, part.mentions))
        content["m.relates_to"] = ["rel_type": "m.replace", "event_id": .string(original)]
        return OutgoingEvent(transaction: part.transaction, content: .object(content))
    }

    /// The picture that stands behind the text.
    ///
    /// - Parameter address: `mxc://…`, where it was uploaded to.
    static func event(_ picture: Picture, at address: String, for delivery: Delivery) -> OutgoingEvent {
        let name = OutgoingEvent.fileName(of: picture)
        let description = picture.description.printableLine.clipped(to: 1000)
        var content: [String: JSON] = [
            "msgtype": "m.image", "body": .string(description.isEmpty ? name : description),
            "filename": .string(name), "url": .string(address), "m.mentions": [:],
            "info": [
                "mimetype": .string(picture.mediaType), "w": .integer(picture.width), "h": .integer(picture.height),
                "size": .integer(picture.bytes.count),
            ],
        ]
        content["m.relates_to"] = delivery.thread.flatMap(relation)
        return OutgoingEvent(transaction: "\(delivery.id)-picture", content: .object(content))
    }

    private func content(_ text: EventText, _ mentions: Mentions) -> [String: JSON] {
        [
            "msgtype": isNotice ? "m.notice" : "m.text", "body": .string(text.body),
            "format": "org.matrix.custom.html", "formatted_body": .string(text.html), "m.mentions": mentions.content,
        ]
    }

    /// "Threading", with what a client without threads shows as an answer.
    private static func relation(_ thread: Delivery.Thread) -> JSON? {
        guard let root = thread.root.ids.first else { return nil }
        return [
            "rel_type": "m.thread", "event_id": .string(root), "is_falling_back": true,
            "m.in_reply_to": ["event_id": .string(thread.latest.ids.last ?? root)],
        ]
    }
}

import AdapterKit

/// What a run did, for a comparison.
struct Deeds {
    /// In order; nil where they are forgotten.
    var messages: [Message]?
    /// The words of the steps that changed something in Zimmer, in order.
    var writes: [String]

    /// - Parameter comparesTexts: else only channels count.
    func isSame(as other: Deeds, comparesTexts: Bool) -> Bool {
        guard writes == other.writes else { return false }
        guard let messages, let others = other.messages else { return true }
        return messages.elementsEqual(others) {
            $0.channel == $1.channel && (!comparesTexts || $0.line.utf8.elementsEqual($1.line.utf8))
        }
    }
}

extension Message {
    /// `CHANNEL: TITLE: TEXT`
    var line: String {
        [channel, title, body.plainText].compactMap(\.self).joined(separator: ": ")
    }
}

import AdapterKit
import Foundation

/// Writes the head of a mail (RFC 5322, RFC 2047). No value can end its line: what is not printable ASCII is encoded.
struct MailHeader {
    private(set) var text = ""

    /// A value of fixed words, made by the program itself.
    mutating func add(_ name: String, _ value: String) {
        text += "\(name): \(value)\r\n"
    }

    /// Anything.
    mutating func add(_ name: String, text value: String) {
        add(name, Self.encoded(value, after: name.utf8.count + 2))
    }

    mutating func add(_ name: String, _ addresses: [MailAddress]) {
        let values = addresses.map { address in
            address.name.isEmpty
                ? address.address : "\(Self.phrase(address.name, after: name.utf8.count + 2)) <\(address.address)>"
        }
        add(name, values.joined(separator: ",\r\n "))
    }

    /// Ids of other mails; one on each line, as each may be as long as a line.
    mutating func add(_ name: String, ids: [String]) {
        if !ids.isEmpty { add(name, ids.map { "<\($0)>" }.joined(separator: "\r\n ")) }
    }

    /// Behind so many bytes on the first line.
    private static func encoded(_ text: String, after used: Int) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let isPlain =
            text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && !text.contains("=?") && text.first != " "
            && text.last != " " && words.allSatisfy { (1...70).contains($0.utf8.count) }
        return isPlain ? folded(words, after: used) : encodedWords(text, after: used)
    }

    private static func phrase(_ text: String, after used: Int) -> String {
        let isPlain = text.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 0x20 || $0 == 0x2D
        }
        return isPlain ? text : encodedWords(text, after: used)
    }

    private static func folded(_ words: [Substring], after used: Int) -> String {
        var (text, length) = ("", used)
        for (index, word) in words.enumerated() {
            if index > 0 {
                text += length + 1 + word.utf8.count > 76 ? "\r\n " : " "
                if text.hasSuffix("\r\n ") { length = 0 }
                length += 1
            }
            text += word
            length += word.utf8.count
        }
        return text
    }

    /// Base64 in pieces that each end between two characters and fit a line (RFC 2047, section 2).
    private static func encodedWords(_ text: String, after used: Int) -> String {
        var pieces: [[UInt8]] = []
        var piece: [UInt8] = []
        // 75 bytes with `=?UTF-8?B??=`, less what stands before the first.
        var room = max(3, (63 - used) / 4 * 3)
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if !piece.isEmpty, piece.count + bytes.count > room {
                pieces.append(piece)
                piece = []
                room = 45
            }
            piece += bytes
        }
        pieces.append(piece)
        return pieces.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}

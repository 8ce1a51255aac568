import Foundation

/// How contents are written so that any server passes them on: 7-bit bytes in short lines (RFC 2045).
enum MailEncoding {
    /// Section 6.7. Lines of at most 76 bytes.
    static func quotedPrintable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(quotedPrintableLine).joined(separator: "\r\n")
    }

    private static func quotedPrintableLine(_ line: Substring) -> String {
        var (text, length) = ("", 0)
        let bytes = Array(line.utf8)
        for (index, byte) in bytes.enumerated() {
            let isLast = index == bytes.count - 1
            let isPlain = (0x21..<0x7F).contains(byte) && byte != UInt8(ascii: "=") || byte == 0x20 && !isLast
            // One byte is left for the `=` that says that the line goes on.
            if length + (isPlain ? 1 : 3) > 75 {
                text += "=\r\n"
                length = 0
            }
            text += isPlain ? String(UnicodeScalar(byte)) : "=" + hexadecimal(byte)
            length += isPlain ? 1 : 3
        }
        return text
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let text = Array(Data(bytes).base64EncodedString().utf8)
        return stride(from: 0, to: text.count, by: 76)
            .map { String(decoding: text[$0..<min($0 + 76, text.count)], as: UTF8.self) }.joined(separator: "\r\n")
    }
}

import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@testable import EmailAdapter

/// Text that others wrote cannot become a header, a part or markup.
@Suite struct EmailHostileTests {
    private func mail(_ text: String) throws -> String {
        let picture = Picture(bytes: [1, 2, 3], mediaType: text, width: 1, height: 1, description: text)
        let content = try Email.composer().content(
            Delivery(
                id: DeliveryID("dlv_1"), message: AdapterContract.hostileMessage(text), attempt: 1, picture: picture))
        return String(decoding: content, as: UTF8.self)
    }

    @Test(arguments: AdapterContract.hostileTexts)
    func `every line is 7-bit, short, and ended by both characters`(text: String) throws {
        let mail = Array(try mail(text).utf8)
        let isPlain = mail.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0D || $0 == 0x0A) }
        #expect(isPlain)
        let lines = mail.split(separator: 0x0A, omittingEmptySubsequences: false)
        let longest = lines.map(\.count).max() ?? 0
        #expect(longest <= 79)
        let isEnded = lines.dropLast().allSatisfy { $0.last == 0x0D && !$0.dropLast().contains(0x0D) }
        #expect(isEnded)
        #expect(lines.last?.isEmpty == true)
    }

    @Test(arguments: AdapterContract.hostileTexts)
    func `the head has the headers that belong there, and no others`(text: String) throws {
        let head = try mail(text).split(separator: "\r\n\r\n").first ?? ""
        let names = head.split(separator: "\r\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress",
                "Importance", "MIME-Version", "Content-Type",
            ])
    }

    @Test(arguments: AdapterContract.hostileTexts)
    func `nothing of it is markup`(text: String) throws {
        let html = MailHTML(TextTree([.paragraph([.text(text), .code(text), .link([.text(text)], url: text)])])).text
        let tags = html.split(separator: "<").map { $0.prefix { $0.isLetter || $0 == "/" || $0 == "!" } }
        let known: Set<Substring> = [
            "!DOCTYPE", "html", "head", "meta", "/head", "body", "/body", "/html", "p", "/p", "code", "/code", "a",
            "/a",
        ]
        #expect(Set(tags).isSubset(of: known))
        #expect(!html.contains("<img"))
    }

    @Test(arguments: ["Fix login", "Fix <login> – failed", String(repeating: "ab ", count: 60), "=?x?="])
    func `a subject can be read back`(title: String) throws {
        var header = MailHeader()
        header.add("Subject", text: title)
        let lines = header.text.split(separator: "\r\n").map { String($0.drop { $0 == " " }) }
        let value = lines.joined(separator: " ").dropFirst("Subject: ".count)
        #expect(Self.decoded(String(value)) == title || value == title)
    }

    /// As a mail program reads a value made of encoded words.
    private static func decoded(_ value: String) -> String {
        let words = value.split(separator: " ").map { $0.dropFirst("=?UTF-8?B?".count).dropLast(2) }
        let bytes = words.flatMap { Array(Data(base64Encoded: String($0)) ?? Data()) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import AdapterKit

/// Who sends or gets mail: `bot@example.com`, or `Zimmer <bot@example.com>`.
struct MailAddress: Hashable, Sendable {
    /// What is shown; empty where there is no name.
    var name: String
    /// `local@domain`.
    var address: String

    var domain: Substring { address[address.index(after: address.lastIndex(of: "@") ?? address.startIndex)...] }

    /// Nil for what is not an address of printable ASCII without quotes.
    init?(_ text: String) {
        guard text.utf8.count <= 1000, text.printableLine.utf8.elementsEqual(text.utf8) else { return nil }
        if text.hasSuffix(">"), let start = text.lastIndex(of: "<") {
            name = text[..<start].split(separator: " ").joined(separator: " ")
            if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 { name = String(name.dropFirst().dropLast()) }
            address = String(text[text.index(after: start)...].dropLast())
        } else {
            name = ""
            address = text
        }
        guard Self.isAddress(address), !name.contains("\"") else { return nil }
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let marks = Array("()<>[]:;,\\\"".utf8)
        guard
            parts.count == 2, (1...64).contains(parts[0].utf8.count), (1...253).contains(parts[1].utf8.count),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !marks.contains($0) })
        else { return false }
        return parts.allSatisfy { !$0.hasPrefix(".") && !$0.hasSuffix(".") && !$0.contains("..") }
    }
}

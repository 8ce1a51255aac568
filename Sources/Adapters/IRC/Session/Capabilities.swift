/// What a server can do beyond the old protocol, and what of it is switched on.
struct Capabilities: Sendable {
    /// Without these we get along; `sasl` is asked for where it is needed.
    private static let wanted = [
        "account-notify", "account-tag", "batch", "cap-notify", "chghost", "echo-message", "extended-join",
        "labeled-response", "message-tags", "server-time",
    ]
    /// A request as long as this fits into a line whatever stands before it.
    private static let longestRequest = 400
    /// More than any server has; what comes behind is not kept.
    private static let mostOffered = 500

    private var offered: [String: String] = [:]
    private(set) var enabled: Set<String> = []

    /// Takes a list of the server's: names, some with `=value`.
    mutating func offer(_ list: String) {
        for word in list.utf8.split(separator: 0x20) where offered.count < Self.mostOffered {
            let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let name = parts.first else { continue }
            offered[String(decoding: name, as: UTF8.self)] =
                parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        }
    }

    mutating func withdraw(_ list: String) {
        for name in Self.names(list) {
            offered[name] = nil
            enabled.remove(name)
        }
    }

    /// What is offered, wanted and not switched on, as lists for `CAP REQ`.
    func requests(withLogin: Bool) -> [String] {
        var parts: [String] = []
        for name in ((withLogin ? ["sasl"] : []) + Self.wanted) where offered[name] != nil && !enabled.contains(name) {
            if let last = parts.last, last.utf8.count + 1 + name.utf8.count <= Self.longestRequest {
                parts[parts.count - 1] = "\(last) \(name)"
            } else {
                parts.append(name)
            }
        }
        return parts
    }

    mutating func acknowledge(_ list: String) {
        for name in Self.names(list) {
            if name.hasPrefix("-") { enabled.remove(String(name.dropFirst())) } else { enabled.insert(name) }
        }
    }

    /// False where the server says which mechanisms it has, and this is not among them.
    func allows(mechanism: String) -> Bool {
        guard let value = offered["sasl"] else { return false }
        return value.isEmpty || value.split(separator: ",").contains { $0 == mechanism }
    }

    static func isWanted(_ name: String) -> Bool { name == "sasl" || wanted.contains(name) }

    func offers(_ name: String) -> Bool { offered[name] != nil }

    func has(_ name: String) -> Bool { enabled.contains(name) }

    /// The server answers a line by its label, and repeats what we say: each message is confirmed by itself.
    var confirmsByLabel: Bool {
        ["labeled-response", "batch", "message-tags", "echo-message"].allSatisfy(enabled.contains)
    }

    static func names(_ list: String) -> [String] {
        list.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
}

import AdapterKit

/// Who a message calls ("User and room mentions"): nobody but those that the channel's author names.
struct Mentions: Hashable, Sendable {
    /// `@name:server`, each once.
    private(set) var users: [String] = []
    private(set) var callsRoom = false

    /// Nobody.
    init() {}

    /// - Parameter names: User ids, and `@room` for everybody. What is neither is left out.
    init(_ names: [String]) {
        for name in names {
            if name == "@room" {
                callsRoom = true
            } else if Self.isUser(name), !users.contains(name) {
                users.append(name)
            }
        }
    }

    var isEmpty: Bool { users.isEmpty && !callsRoom }

    /// `m.mentions`. An empty one stands on every event: without it, older servers look for names in the text.
    var content: JSON {
        var members: [String: JSON] = [:]
        if !users.isEmpty { members["user_ids"] = .array(users.map(JSON.string)) }
        if callsRoom { members["room"] = true }
        return .object(members)
    }

    var body: String {
        (users + (callsRoom ? ["@room"] : [])).joined(separator: " ")
    }

    var html: String {
        let pills = users.map { user in
            let name = HTMLWriter.escaped(user)
            return "<a href=\"https://matrix.to/#/\(name)\">\(name)</a>"
        }
        return (pills + (callsRoom ? ["@room"] : [])).joined(separator: " ")
    }

    /// "User identifiers", without what would need an escape in a link.
    private static func isUser(_ name: String) -> Bool {
        let allowed = Array("-._=/+:[]".utf8)
        return name.hasPrefix("@") && name.utf8.count <= 255 && name.dropFirst().contains(":")
            && name.utf8.dropFirst().allSatisfy { byte in
                (byte | 0x20 >= 97 && byte | 0x20 <= 122) || (byte >= 48 && byte <= 57) || allowed.contains(byte)
            }
    }
}

/// What a server says of itself in its 005 lines.
struct ServerSupport: Hashable, Sendable {
    /// With CR and LF, without tags.
    static let lineLength = 512

    var caseMapping = CaseMapping.rfc1459
    /// Unknown before the server says it.
    var nickLength: Int?
    var lineLength = ServerSupport.lineLength
    /// The user mode that marks a bot.
    var botMode: String?
    /// What may stand before the name of a channel to mean some of its members.
    var statusPrefixes = "@+"
    var channelTypes = "#&"
    /// Watches nicks by `MONITOR`.
    var hasMonitor = false
    /// Tells accounts by `WHO … %`.
    var hasWhoX = false

    /// Takes the parameters of one 005 line; what it does not know, or makes no sense, changes nothing.
    mutating func add(_ parameters: some Sequence<String>) {
        for parameter in parameters {
            let parts = parameter.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let name = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            set(name, to: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
        }
    }

    private mutating func set(_ name: String, to value: String) {
        switch name {
        case "CASEMAPPING": caseMapping = CaseMapping(rawValue: value) ?? caseMapping
        case "NICKLEN": nickLength = Int(value).map { min(max($0, 1), 255) } ?? nickLength
        case "LINELEN": lineLength = Int(value).map { min(max($0, Self.lineLength), 8_192) } ?? lineLength
        case "BOT": botMode = value.utf8.count == 1 ? value : nil
        case "CHANTYPES": channelTypes = value.isEmpty ? channelTypes : value
        case "PREFIX": statusPrefixes = value.split(separator: ")").last.map(String.init) ?? statusPrefixes
        case "MONITOR": hasMonitor = true
        case "WHOX": hasWhoX = true
        default: break
        }
    }
}

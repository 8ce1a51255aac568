/// Which services account stands behind a nick, kept up by what the server tells. For servers that do not say it with
/// every line.
struct AccountBook: Sendable {
    private static let mostMembers = 20_000

    /// By channel and nick, both folded: who leaves our last common channel is no longer told about.
    private var accounts: [[UInt8]: [[UInt8]: String]] = [:]
    private var count = 0

    func account(_ nick: [UInt8], in channel: [UInt8]) -> String? {
        accounts[channel]?[nick]
    }

    /// Account nil: known to have none.
    mutating func learned(_ nick: [UInt8], in channel: [UInt8], account: String?) {
        left(nick, channel)
        guard let account, count < Self.mostMembers else { return }
        accounts[channel, default: [:]][nick] = account
        count += 1
    }

    /// Somebody who shares a channel with us logged in or out.
    mutating func changed(_ nick: [UInt8], account: String?, in channels: [[UInt8]]) {
        for channel in channels { learned(nick, in: channel, account: account) }
    }

    mutating func left(_ nick: [UInt8], _ channel: [UInt8]) {
        if accounts[channel]?.removeValue(forKey: nick) != nil { count -= 1 }
    }

    mutating func quit(_ nick: [UInt8]) {
        for channel in accounts.keys { left(nick, channel) }
    }

    mutating func renamed(_ nick: [UInt8], to new: [UInt8]) {
        for channel in accounts.keys {
            let account = accounts[channel]?[nick]
            left(nick, channel)
            learned(new, in: channel, account: account)
        }
    }

    /// We are out of the channel.
    mutating func forget(_ channel: [UInt8]) {
        count -= accounts.removeValue(forKey: channel)?.count ?? 0
    }
}

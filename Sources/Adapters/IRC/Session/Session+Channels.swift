import AdapterKit

extension Session {
    /// Marks our question for the accounts of a channel among other answers to `WHO`.
    private static let whoToken = "152"

    mutating func receiveJoin(_ line: IncomingLine) throws(Ending) {
        guard let source = line.source else { return }
        let name = line.parameter(0)
        guard isUs(source.name) else {
            if registration.capabilities.has("extended-join") { learnAccount(line.parameter(1), source.name, name) }
            return
        }
        learn(source)
        guard let index = channelIndex(name) else {
            // Sent here in place of a channel of ours, or by someone's order.
            if let line = try? OutgoingLine("PART", [name]) { try queue.add([line]) }
            return
        }
        channels[index].joined()
        var lines = [try? OutgoingLine("MODE", [name])]
        let isTold = registration.capabilities.has("account-tag") || !registration.capabilities.has("account-notify")
        if !isTold, support.hasWhoX {
            lines.append(try? OutgoingLine("WHO", [name, "%tcna,\(Self.whoToken)"]))
        }
        try queue.add(lines.compactMap { $0 })
    }

    mutating func receiveLeave(_ line: IncomingLine, now: WallTime, random: Double) {
        let isKick = line.command == "KICK"
        let who = isKick ? line.parameter(1) : line.source?.name ?? ""
        let name = line.parameter(0)
        let channel = support.caseMapping.fold(name)
        guard isUs(who) else { return accounts.left(support.caseMapping.fold(who), channel) }
        accounts.forget(channel)
        guard let index = channelIndex(name), channels[index].isJoined else { return }
        let words = isKick ? "\(line.source?.name ?? "somebody") kicked the bot out of" : "the bot was made to leave"
        let reason = isKick && line.parameters.count > 2 ? " (\(line.trailing))" : ""
        channels[index].removed("\(words) \(channels[index].name)\(reason)", now: now, jitter: random)
    }

    /// A refusal that names one of our channels.
    mutating func receiveChannelRefusal(_ line: IncomingLine, now: WallTime) {
        guard let index = channelIndex(line.parameter(1)) else { return }
        let channel = channels[index]
        switch channel.state {
        case .joining:
            // Sending, or asking for modes, is refused by other numbers.
            guard ![404, 442, 482].contains(line.numeric) else { return }
            channels[index].refused(Membership.reason(line, channel: channel.name), now: now)
        case .joined where line.numeric == 403 || line.numeric == 442:
            // We are not where we thought.
            channels[index].refused("the bot is no longer in \(channel.name)", now: now)
        default: break
        }
    }

    // MARK: - Modes

    mutating func receiveMode(_ line: IncomingLine) {
        setModes(line.parameter(1), of: line.parameter(0))
    }

    /// `+c` forbids formatting. What it takes away, `-c` gives back.
    mutating func setModes(_ modes: String, of name: String) {
        guard let index = channelIndex(name) else { return }
        var isAdding = true
        for letter in modes.utf8 {
            switch letter {
            case UInt8(ascii: "+"): isAdding = true
            case UInt8(ascii: "-"): isAdding = false
            case UInt8(ascii: "c"): channels[index].formats = isAdding ? .refused : .unknown
            default: break
            }
        }
    }

    // MARK: - Accounts

    mutating func receiveWho(_ line: IncomingLine) {
        // 354 ourNick token channel nick account
        guard line.parameters.count >= 5, line.parameter(1) == Self.whoToken else { return }
        learnAccount(line.parameter(4), line.parameter(3), line.parameter(2))
    }

    private mutating func learnAccount(_ account: String, _ nick: String, _ channel: String) {
        // Without notice of changes, what is true today is not tomorrow.
        guard registration.capabilities.has("account-notify") else { return }
        accounts.learned(
            support.caseMapping.fold(nick), in: support.caseMapping.fold(channel), account: Self.account(account))
    }
}

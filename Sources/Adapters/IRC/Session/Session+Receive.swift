import AdapterKit

extension Session {
    /// Takes a line of the server.
    ///
    /// - Parameter random: 0 … 1, for jitter.
    /// - Throws: where the connection is over.
    mutating func receive(_ line: IncomingLine, now: WallTime, random: Double) throws(Ending) {
        liveness.heard(now: now)
        if receiveLabelled(line) {
            if line.isRefusal { receiveChannelRefusal(line, now: now) }
        } else {
            try queue.add(registration.receive(line, now: now))
            if let number = line.numeric {
                try receiveReply(number, line, now: now)
            } else {
                try receiveCommand(line, now: now, random: random)
            }
        }
        settle()
    }

    private mutating func receiveCommand(_ line: IncomingLine, now: WallTime, random: Double) throws(Ending) {
        switch line.command {
        case "PING":
            // What cannot be repeated as it is, is not worth a line that could mean something else.
            if let pong = try? OutgoingLine("PONG", text: line.trailing, limit: support.lineLength) {
                try queue.add([pong])
            }
        case "PONG": receivePong(line)
        case "ERROR":
            let words = line.trailing.lowercased()
            if words.contains("kill") || words.contains("ghost") { nick.wasGhosted(now: now) }
            throw .error(line.trailing)
        case "PRIVMSG", "NOTICE": try receiveMessage(line, now: now)
        case "JOIN": try receiveJoin(line)
        case "PART", "KICK": receiveLeave(line, now: now, random: random)
        case "NICK": receiveNick(line, now: now)
        case "QUIT": receiveQuit(line, now: now)
        case "ACCOUNT": receiveAccount(line)
        case "CHGHOST":
            if isUs(line.source?.name) { (user, host) = (line.parameter(0), line.parameter(1)) }
        case "KILL": if isUs(line.parameter(0)) { nick.wasGhosted(now: now) }
        case "MODE": receiveMode(line)
        case "FAIL": receiveRefusal(line)
        default: break
        }
    }

    private mutating func receiveReply(_ number: Int, _ line: IncomingLine, now: WallTime) throws(Ending) {
        switch number {
        case 1: welcomed(as: line.parameter(0), now: now)
        case 5: support.add(line.parameters.dropFirst().dropLast())
        case 376, 422: try greeted()
        case 324: setModes(line.parameter(2), of: line.parameter(1))
        case 354: receiveWho(line)
        case 396: receiveHost(line.parameter(1))
        case 432, 433, 436, 437:
            if welcomedAt == nil { try queue.add(nick.refused()) } else { receiveChannelRefusal(line, now: now) }
        case 731:
            let names = line.trailing.split(separator: ",").map { $0.prefix { $0 != "!" } }
            if names.contains(where: { areEqual(String($0), nick.wanted) }) { nick.becameFree(now: now) }
        case 400..<600:
            receiveChannelRefusal(line, now: now)
            receiveRefusal(line)
        default: break
        }
    }

    // MARK: - Who is who

    private mutating func receiveNick(_ line: IncomingLine, now: WallTime) {
        guard let old = line.source?.name else { return }
        let new = line.parameter(0)
        accounts.renamed(support.caseMapping.fold(old), to: support.caseMapping.fold(new))
        if isUs(old) {
            nick.renamed(to: new, now: now)
        } else if areEqual(old, nick.wanted) {
            nick.becameFree(now: now)
        }
    }

    private mutating func receiveQuit(_ line: IncomingLine, now: WallTime) {
        guard let name = line.source?.name else { return }
        accounts.quit(support.caseMapping.fold(name))
        if !isUs(name), areEqual(name, nick.wanted) { nick.becameFree(now: now) }
    }

    private mutating func receiveAccount(_ line: IncomingLine) {
        guard let name = line.source?.name else { return }
        let account = line.parameter(0)
        accounts.changed(
            support.caseMapping.fold(name), account: Self.account(account),
            in: channels.filter(\.isJoined).map { support.caseMapping.fold($0.name) })
    }

    /// Some servers name the user too.
    private mutating func receiveHost(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1)
        host = parts.last.map(String.init)
        if parts.count > 1 { user = String(parts[0]) }
    }

    /// The account of a name that stands for one; nil for the words that stand for none.
    static func account(_ name: String) -> String? {
        name.isEmpty || name == "*" || name == "0" ? nil : name
    }
}

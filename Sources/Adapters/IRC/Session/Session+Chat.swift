import AdapterKit
import Foundation

/// What somebody said in one of our channels.
struct HeardMessage: Hashable, Sendable {
    /// Nil where the server gives none.
    var id: String?
    /// Among the session's.
    var channel: Int
    var nick: String
    var account: String?
    /// By the server's clock; nil where it does not say.
    var time: WallTime?
    var text: String
}

extension Session {
    static let version = "zimmer-bot"
    /// What may be heard before anybody fetches it.
    private static let mostEvents = 500

    mutating func receiveMessage(_ line: IncomingLine, now: WallTime) throws(Ending) {
        guard let source = line.source, line.parameters.count >= 2 else { return }
        let target = line.parameter(0)
        if isUs(source.name) { return receiveOwn(line, source) }
        // Answering a notice is how two bots begin to talk for ever.
        guard line.command == "PRIVMSG" else { return }
        if line.trailing.utf8.first == 0x01 {
            if isUs(target) { try receiveQuery(line.trailing, from: source.name, now: now) }
            return
        }
        guard
            let channel = channelIndex(target), channels[channel].isJoined, line.tags["bot"] == nil,
            events.count < Self.mostEvents, !batches.isHistory(line)
        else { return }
        events.append(
            .heard(
                HeardMessage(
                    id: line.tags["msgid"].flatMap { $0.isEmpty ? nil : $0.printableLine.clipped(to: 200) },
                    channel: channel, nick: source.name.printableLine.clipped(to: 100),
                    account: account(line, of: source.name, in: target), time: line.serverTime,
                    text: line.trailing.withoutFormatting)))
    }

    /// Our own words, sent back to us.
    private mutating func receiveOwn(_ line: IncomingLine, _ source: IncomingLine.Source) {
        learn(source)
        guard !batches.isHistory(line) else { return }
        for index in deliveries.indices
        where deliveries[index].command == line.command && areEqual(deliveries[index].target, line.parameter(0)) {
            return deliveries[index].echoed(line.trailing)
        }
    }

    /// By what the server vouches for: with the line itself, or else by what it told of the people in the channel.
    private func account(_ line: IncomingLine, of nick: String, in channel: String) -> String? {
        if registration.capabilities.has("account-tag") {
            return line.tags["account"].flatMap { $0.isEmpty || $0 == "*" ? nil : $0 }
        }
        return accounts.account(support.caseMapping.fold(nick), in: support.caseMapping.fold(channel))
    }

    /// The two questions among programs that deserve an answer, now and then.
    private mutating func receiveQuery(_ text: String, from nick: String, now: WallTime) throws(Ending) {
        let words = text.utf8.dropFirst().prefix { $0 != 0x01 }.split(separator: 0x20, maxSplits: 1)
        let answer: String
        switch words.first.map({ String(decoding: $0, as: UTF8.self).uppercased() }) {
        case "VERSION": answer = "VERSION \(Self.version)"
        case "PING":
            let token = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
            answer = "PING \(token.printableLine.clipped(toBytes: 64))"
        default: return
        }
        guard
            courtesy.delay(now: now) == .zero,
            let line = try? OutgoingLine("NOTICE", [nick], text: "\u{01}\(answer)\u{01}")
        else { return }
        courtesy.take(now: now)
        try queue.add([line])
    }

    /// What a line of ours tells about how others see us.
    mutating func learn(_ source: IncomingLine.Source) {
        user = source.user ?? user
        host = source.host ?? host
    }
}

extension IncomingLine {
    /// The `time` tag, as IRCv3 writes it.
    fileprivate var serverTime: WallTime? {
        guard
            let text = tags["time"], text.utf8.count <= 40,
            let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        else { return nil }
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let fraction = date.timeIntervalSince1970 - seconds
        return WallTime(seconds: Int64(seconds), nanoseconds: Int32(min(fraction * 1e9, 999_999_999)))
    }
}

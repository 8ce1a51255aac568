import AdapterKit

/// A message on its way into a channel: which of its lines are out, and which of them the server has for certain.
struct LineDelivery: Sendable {
    /// How the server confirms a line.
    enum Confirmation: Hashable, Sendable {
        /// It answers by the line's label.
        case label
        /// It repeats the line; what it has not repeated when our `PING` is answered, it refused.
        case echo
        /// It answers a `PING` that was sent behind the lines, and has refused none before that.
        case ping
    }

    enum State: Hashable, Sendable {
        case waiting, queued, written, confirmed
    }

    struct Part: Sendable {
        var line: [Span]
        var state = State.waiting
        /// Sent without formatting.
        var isPlain = false
        /// The server did not take it with its formatting.
        var wasRefused = false

        var hasFormatting: Bool { line.contains { !$0.style.isEmpty } }
        var text: String { isPlain ? line.plain : line.formatted }
    }

    enum Result: Hashable, Sendable {
        case confirmed
        /// The server said no, in these words.
        case refused(String)
        /// Without text, for example: no other time will do.
        case impossible(String)
    }

    /// For the confirmation of what was written last.
    static let patience = Duration.seconds(60)

    let id: Int
    let channel: Int
    let target: String
    let command: String
    /// Letters, digits, `_` and `-`.
    let label: String
    let confirmation: Confirmation
    private(set) var parts: [Part]
    /// Decided, but not said before every line that is out has its answer.
    private var failure: Result?
    private var isGivenUp = false
    private var deadline: WallTime?
    /// The `PING` behind the lines, and how many of those the server refused meanwhile.
    private var proof: (number: Int, isWritten: Bool)?
    private var proofCount = 0
    private var refusals: [IncomingLine] = []

    init(
        id: Int, channel: Int, target: String, command: String, label: DeliveryID, lines: [[Span]], isPlain: Bool,
        confirmation: Confirmation
    ) {
        self.id = id
        self.channel = channel
        self.target = target
        self.command = command
        self.label = String(label.text.prefix(48).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        self.confirmation = confirmation
        parts = lines.map { Part(line: $0, isPlain: isPlain) }
        if parts.isEmpty { failure = .impossible("the message has no text") }
    }

    /// Nil while it is not over.
    var result: Result? {
        if let failure { return isGivenUp || !isUncertain ? failure : nil }
        return parts.allSatisfy { $0.state == .confirmed } ? .confirmed : nil
    }

    /// No further line is to go out.
    var isFailing: Bool { failure != nil }

    var wakeAt: WallTime? { result == nil ? deadline : nil }
    /// Some line is out, and nobody knows whether it arrived.
    var isUncertain: Bool { parts.contains { $0.state == .written } }
    /// Some line was taken without its formatting after it had been refused with it.
    var confirmedPlain: Bool { parts.contains { $0.state == .confirmed && $0.wasRefused } }
    var confirmedFormatted: Bool { parts.contains { $0.state == .confirmed && !$0.isPlain && $0.hasFormatting } }

    /// The lines that may go to the queue now.
    ///
    /// - Parameter takesFormats: The channel is known to take formatting: until then, one formatted line at a time, so that
    ///   a refused one can be sent again before those behind it.
    mutating func next(takesFormats: Bool, limit: Int) -> [(line: OutgoingLine, owner: OutgoingQueue.Owner)] {
        guard failure == nil else { return [] }
        var lines: [(line: OutgoingLine, owner: OutgoingQueue.Owner)] = []
        for (index, part) in parts.enumerated() where part.state != .confirmed {
            if part.state == .waiting, proof == nil {
                do throws(OutgoingLine.Refusal) {
                    lines.append((try line(part, index, limit), .delivery(id, part: index)))
                    parts[index].state = .queued
                } catch {
                    failure = .impossible("a line of the message cannot be sent")
                    return []
                }
            }
            if !takesFormats, part.hasFormatting, !part.isPlain { break }
        }
        if confirmation != .label, proof == nil, parts.contains(where: { $0.state == .queued }) {
            proofCount += 1
            proof = (proofCount, false)
            if let line = try? OutgoingLine("PING", text: token(proofCount)) { lines.append((line, .proof(id))) }
        }
        return lines
    }

    private func line(_ part: Part, _ index: Int, _ limit: Int) throws(OutgoingLine.Refusal) -> OutgoingLine {
        try OutgoingLine(
            label: confirmation == .label ? label(index, part) : nil, command, [target], text: part.text, limit: limit)
    }

    private func label(_ index: Int, _ part: Part) -> String {
        "\(label)-\(index + 1)\(part.isPlain ? "p" : "")"
    }

    private func token(_ number: Int) -> String { "\(label)-\(id)-\(number)" }

    mutating func written(_ owner: OutgoingQueue.Owner, now: WallTime) {
        deadline = now + Self.patience
        switch owner {
        case .delivery(_, let part) where parts.indices.contains(part): parts[part].state = .written
        case .proof: proof?.isWritten = true
        default: break
        }
    }

    mutating func timePassed(now: WallTime) {
        guard result == nil, let deadline, now >= deadline else { return }
        isGivenUp = true
        failure =
            failure ?? .refused("the server did not confirm the message within \(Self.patience.components.seconds) s")
    }
}

// MARK: - What the server says

extension LineDelivery {
    /// The server's answer to one of our labels. False where it is none of ours.
    mutating func answered(label: String, refusal: IncomingLine?) -> Bool {
        let found = parts.indices.first { index in
            parts[index].state == .written && self.label(index, parts[index]).utf8.elementsEqual(label.utf8)
        }
        guard let index = found else { return false }
        if let refusal { refuse(index, refusal) } else { parts[index].state = .confirmed }
        return true
    }

    /// The server repeated a line of ours in this channel. It may have changed it.
    mutating func echoed(_ text: String) {
        guard confirmation == .echo else { return }
        let written = parts.indices.filter { parts[$0].state == .written }
        let words = Array(text.withoutFormatting.utf8)
        let same = written.first { Array(parts[$0].line.plain.utf8) == words }
        if let index = same ?? written.first { parts[index].state = .confirmed }
    }

    /// A refusal without a label, about this channel.
    mutating func refused(_ line: IncomingLine) {
        guard confirmation != .label, isUncertain else { return }
        refusals.append(line)
    }

    /// An answer to a `PING`. False where it is not ours.
    mutating func ponged(_ text: String) -> Bool {
        guard let proof, proof.isWritten, text.utf8.elementsEqual(token(proof.number).utf8) else { return false }
        self.proof = nil
        let written = parts.indices.filter { parts[$0].state == .written }
        let formatted = written.filter { parts[$0].hasFormatting && !parts[$0].isPlain }
        let refusals = refusals
        self.refusals = []
        for index in written {
            let isRefused =
                switch confirmation {
                case .echo: true
                // The refusals do not say of what: all, or those that differ from the others.
                case .ping, .label:
                    refusals.count >= written.count || !refusals.isEmpty && formatted.count != refusals.count
                        || !refusals.isEmpty && formatted.contains(index)
                }
            if isRefused { refuse(index, refusals.last) } else { parts[index].state = .confirmed }
        }
        return true
    }

    private mutating func refuse(_ index: Int, _ line: IncomingLine?) {
        parts[index].state = .waiting
        if parts[index].hasFormatting, !parts[index].isPlain, Self.mayBeAboutFormatting(line) {
            parts[index].isPlain = true
            parts[index].wasRefused = true
            return
        }
        let words = line.map { "\($0.command): \($0.trailing)" } ?? "it did not pass the message on"
        let reason = "the server refused to say it in \(target) (\(words))"
        failure = line?.numeric == 412 || line?.numeric == 411 ? .impossible(reason) : .refused(reason)
    }

    /// Servers refuse formatting by the number that stands for everything one may not say.
    private static func mayBeAboutFormatting(_ line: IncomingLine?) -> Bool {
        line == nil || line?.numeric == 404 || line?.numeric == 408
    }
}

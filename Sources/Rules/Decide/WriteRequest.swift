package import CEL

/// A write with all its values filled in: what will be asked of Zimmer.
package struct WriteRequest: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable, Codable {
        case followUp(prompt: String, goal: String?)
        case start([WireMember])
        case restart(from: [String])
        case pause
        case sleep
        case startNow
        case refresh
        case archive(from: [String])
        case unarchive
        case snooze(until: Timestamp)
        case hide
        case show
        case set([WireMember])
        case appendNote(String)
        case replaceNote(String)
        case favorite(Bool)
        case heartbeat([WireMember])
        case model(String)
        case log(text: String, level: String)
        case push(String)
        case markRead
        case dismiss
        case markAllRead
        case trigger(enabled: Bool)
        case invoke(variables: [WireMember])
        case authorizeMerge
        /// `accept`, `decline` or `cancel`; only the first has a content.
        case answer(String, content: [WireMember])
        case retryFailed
        case cleanUpProcesses
        case enterRecovery(reason: String, minutes: Int64?)
        case exitRecovery
        case backfillCosts
    }

    /// The step's word in the rules file.
    package var name: String
    package var target: WriteTarget
    package var kind: Kind
    /// Of a text that is to be appended: how often it stood there before the first call.
    package var standing: Int?
    /// When the session had last changed, as it was read for the last look: what became of a call can be over again.
    package var unchangedSince: Timestamp?
    /// Of a trigger that is to be fired: the newest session that it had started before.
    package var newestBefore: Int64?

    package init(_ name: String, to target: WriteTarget, kind: Kind) {
        self.name = name
        self.target = target
        self.kind = kind
    }

    package init(_ name: String, session: Int64, kind: Kind) {
        self.init(name, to: .session(session), kind: kind)
    }

    /// What it takes from `zimmer.limit`.
    package var cost: Int {
        let spends =
            switch kind {
            case .followUp, .start, .heartbeat, .model, .invoke: true
            case .set(let members): members["scheduling_class"] != nil
            default: false
            }
        return spends ? Write.spendingCost : 1
    }

    /// The step and what it is to: `archive session 7`.
    package var summary: String { target == .zimmer ? name : "\(name) \(target)" }

    /// The same in a sentence: `archive for session 7`.
    package var inWords: String { target == .zimmer ? name : "\(name) for \(target)" }

    package var description: String {
        let what = summary
        return switch kind {
        case .followUp(let prompt, _): "\(what): \(prompt)"
        case .snooze(let until): "\(what) until \(until.description)"
        case .appendNote(let text): "\(what): append \(text)"
        case .replaceNote(let text): "\(what): replace with \(text)"
        case .log(let text, let level): "\(what) (\(level)): \(text)"
        case .favorite(let value): "\(what): \(value)"
        case .model(let text), .push(let text): "\(what): \(text)"
        case .trigger(let enabled): "\(what): enabled \(enabled)"
        case .start(let members), .set(let members), .heartbeat(let members): "\(what): \(members.text)"
        case .invoke(let variables): variables.isEmpty ? what : "\(what): \(variables.text)"
        case .answer(let action, let content):
            content.isEmpty ? "\(what): \(action)" : "\(what): \(action), \(content.text)"
        case .enterRecovery(let reason, let minutes):
            "\(what): \(reason)" + (minutes.map { ", for \($0) min" } ?? "")
        case .restart, .pause, .sleep, .startNow, .refresh, .archive, .unarchive, .hide, .show, .markRead, .dismiss,
            .markAllRead, .authorizeMerge, .retryFailed, .cleanUpProcesses, .exitRecovery, .backfillCosts:
            what
        }
    }
}

/// As it is stored. One to a session has no `target`, as it had when there was nothing else to write to.
extension WriteRequest: Codable {
    private enum CodingKeys: CodingKey {
        case name, session, target, kind, standing, unchangedSince, newestBefore
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        kind = try members.decode(Kind.self, forKey: .kind)
        standing = try members.decodeIfPresent(Int.self, forKey: .standing)
        unchangedSince = try members.decodeIfPresent(Timestamp.self, forKey: .unchangedSince)
        newestBefore = try members.decodeIfPresent(Int64.self, forKey: .newestBefore)
        target =
            if let session = try members.decodeIfPresent(Int64.self, forKey: .session) { .session(session) } else {
                try members.decode(WriteTarget.self, forKey: .target)
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(kind, forKey: .kind)
        try members.encodeIfPresent(standing, forKey: .standing)
        try members.encodeIfPresent(unchangedSince, forKey: .unchangedSince)
        try members.encodeIfPresent(newestBefore, forKey: .newestBefore)
        if let session = target.session {
            try members.encode(session, forKey: .session)
        } else {
            try members.encode(target, forKey: .target)
        }
    }
}

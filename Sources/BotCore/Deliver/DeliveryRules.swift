import AdapterKit
import CEL
package import Rules

/// How the rules file wants messages to go: the channels that there are, and when they are quiet.
package struct DeliveryRules: Sendable {
    package var channels: [String: ChannelDelivery]
    /// Of the rules that have any.
    private var quiet: [String: QuietHours]
    /// For times in messages that belong to no rule.
    private var timeZone: String

    package init(_ file: RuleFile) {
        channels = Dictionary(file.channels.map { ($0.name, $0.delivery) }) { first, _ in first }
        quiet = Dictionary(file.rules.compactMap { rule in rule.quiet.map { (rule.name, $0) } }) { first, _ in first }
        timeZone = file.timeZone
    }

    package init(channels: Set<String> = []) {
        self.channels = Dictionary(uniqueKeysWithValues: channels.map { ($0, ChannelDelivery()) })
        quiet = [:]
        timeZone = "UTC"
    }

    package var names: Set<String> { Set(channels.keys) }

    /// Until when a message that could go at `time` has to wait; nil: it need not. An urgent one never does.
    func quietEnd(of message: Message, at time: Timestamp) -> Timestamp? {
        guard message.urgency != .high else { return nil }
        let ends = [channels[message.channel]?.quiet, message.rule.flatMap { quiet[$0] }].compactMap {
            $0?.end(at: time)
        }
        return ends.max()
    }

    /// The zone of a message that stands for several: their rule's, where they have one.
    func timeZone(of entries: [OutboxEntry]) -> String {
        let zones = Set(entries.compactMap { $0.message.rule.flatMap { quiet[$0]?.timeZone } })
        return zones.count == 1 ? zones.first ?? timeZone : timeZone
    }
}

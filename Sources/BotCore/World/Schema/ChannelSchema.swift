package import CEL

extension WorldSchema {
    /// How a channel fares: the subject of `watch: channel`, and an element of `channels`.
    package static let channel = ObjectType(
        "channel",
        [
            .init("name", .string),
            .words("state", ChannelStatus.State.allCases.map(\.rawValue)),
            .init("since", .nullable(.timestamp)),
            .init("error", .nullable(.string)),
            .init("waiting", .int),
        ])
}

extension ChannelStatus {
    /// The value of the variable `channel`.
    package var object: Object {
        Object(
            WorldSchema.channel,
            named: [
                "name": .string(channel),
                "state": .string(state.rawValue),
                "since": since.map(Value.timestamp) ?? .null,
                "error": error.map(Value.string) ?? .null,
                "waiting": .int(Int64(waiting)),
            ])
    }

    /// Rules see a difference.
    func differs(from other: ChannelStatus?) -> Bool {
        guard let other else { return true }
        return (state, since, error, waiting) != (other.state, other.since, other.error, other.waiting)
    }
}

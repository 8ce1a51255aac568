import CEL

@testable import BotCore

extension Value {
    /// A short text for comparing in tests.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .int(let value): String(value)
        case .uint(let value): "\(value)u"
        case .double(let value): String(value)
        case .string(let value): value
        case .bytes(let value): "\(value)"
        case .timestamp(let time): Self.shown(time)
        case .duration(let value): "\(value.components.seconds)s"
        case .list(let elements): "[\(elements.map(\.shown).joined(separator: ", "))]"
        case .map(let map): "{\(map.entries.map { "\($0.key.shown): \($0.value.shown)" }.joined(separator: ", "))}"
        case .object(let object): object.type.name
        case .optional(let optional): "optional(\(optional.wrapped?.shown ?? "none"))"
        case .type, .opaque: typeName
        case .error(let error): "error(\(error.code.rawValue))"
        }
    }

    private static func shown(_ time: Timestamp) -> String {
        guard time.nanoseconds > 0 else { return WireTime.wallClock(time) + "Z" }
        let fraction = String(Double(time.nanoseconds) / 1e9).dropFirst()
        return WireTime.wallClock(time) + fraction + "Z"
    }

    var isUnavailable: Bool {
        if case .error(let error) = self { error.code == .unavailable } else { false }
    }
}

extension SessionReading {
    var pulls: [Object] {
        guard case .list(let pulls) = object["prs"] else { return [] }
        return pulls.compactMap { if case .object(let pull) = $0 { pull } else { nil } }
    }
}

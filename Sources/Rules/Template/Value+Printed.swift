import CEL

extension Value {
    /// As a message shows it: `-` for null, times in RFC 3339, durations as people say them, everything else as
    /// `string(x)` gives it.
    var printed: String {
        switch self {
        case .null: "-"
        case .error: "(?)"
        case .duration(let duration): duration.humanized
        case .list(let elements): elements.map(\.printed).joined(separator: ", ")
        case .optional(let optional): optional.wrapped?.printed ?? "-"
        case .object(let object): RichText.inline(object)?.plain ?? text
        default: text
        }
    }

    /// Null, or an optional that holds nothing.
    var isNothing: Bool {
        switch self {
        case .null: true
        case .optional(let optional): optional.wrapped?.isNothing ?? true
        default: false
        }
    }
}

extension Duration {
    /// The two largest units that are not nothing: `2 h 5 min`, `3 d`, `45 s`.
    package var humanized: String {
        let total = components.seconds
        let seconds = total.magnitude
        let units: [(name: String, count: UInt64)] = [
            ("d", seconds / 86_400), ("h", seconds / 3_600 % 24), ("min", seconds / 60 % 60), ("s", seconds % 60),
        ]
        let shown = units.drop { $0.count == 0 }.prefix(2).filter { $0.count > 0 }
        if shown.isEmpty { return self == .zero ? "0 s" : "under 1 s" }
        return (total < 0 ? "-" : "") + shown.map { "\($0.count) \($0.name)" }.joined(separator: " ")
    }
}

import CEL
import Rules

/// What a write is to, as it was read just before.
enum TargetReading: Sendable {
    case session(SessionReading)
    /// An object of a list.
    case row(Object)
    /// Zimmer as a whole: nothing was read.
    case zimmer

    var session: SessionReading? {
        if case .session(let reading) = self { reading } else { nil }
    }

    var row: Object? {
        if case .row(let object) = self { object } else { nil }
    }

    func text(_ field: String) -> String? {
        if case .string(let text)? = self[field] { text } else { nil }
    }

    func flag(_ field: String) -> Bool? {
        if case .bool(let flag)? = self[field] { flag } else { nil }
    }

    func time(_ field: String) -> Timestamp? {
        if case .timestamp(let time)? = self[field] { time } else { nil }
    }

    subscript(field: String) -> Value? { (session?.object ?? row)?[field] }
}

/// What a write is to.
package enum WriteTarget: Hashable, Sendable, Codable, CustomStringConvertible {
    case session(Int64)
    case notification(Int64)
    case trigger(Int64)
    case elicitation(Int64)
    /// Zimmer as a whole.
    case zimmer

    init(_ addressee: Addressee, _ id: Int64) {
        self =
            switch addressee {
            case .session: .session(id)
            case .notification: .notification(id)
            case .trigger: .trigger(id)
            case .elicitation: .elicitation(id)
            case .zimmer: .zimmer
            }
    }

    package var session: Int64? {
        if case .session(let id) = self { id } else { nil }
    }

    /// Nil for Zimmer as a whole.
    package var id: Int64? {
        switch self {
        case .session(let id), .notification(let id), .trigger(let id), .elicitation(let id): id
        case .zimmer: nil
        }
    }

    /// What kind of thing it is.
    package var word: String {
        switch self {
        case .session: "session"
        case .notification: "notification"
        case .trigger: "trigger"
        case .elicitation: "elicitation"
        case .zimmer: "Zimmer"
        }
    }

    package var description: String { id.map { "\(word) \($0)" } ?? word }
}

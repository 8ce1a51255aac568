/// Something that happens on a server without anyone asking through the API.
package enum Change: Sendable, Hashable {
    case rests(session: Int, saying: String)
    case fails(session: Int, reason: String?)
}

extension ZimmerState {
    /// Carries out a change, unless what happened meanwhile makes it impossible.
    package mutating func apply(_ change: Change) {
        switch change {
        case .rests(let id, let text): rest(id, saying: text)
        case .fails(let id, let reason): fail(id, reason: reason)
        }
    }
}

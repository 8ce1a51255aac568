/// What keeps Zimmer as a whole from being read, told apart by who can end it.
package enum ZimmerTrouble: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nobody answers, or something in front of Zimmer says that nobody does: it passes by itself.
    case unreachable
    /// Zimmer answers, and says that it cannot work.
    case failing
    /// The API key is not accepted: a person has to give another one.
    case signIn = "sign_in"
    /// The gate in front wants a credential of its own.
    case edge
    /// The address redirects somewhere else.
    case redirected
    /// The tunnel in front does not route the API.
    case tunnel
    /// Something answers at the address that is not Zimmer.
    case elsewhere

    /// Zimmer itself has answered.
    package var isFromZimmer: Bool { self == .failing || self == .signIn }
}

extension ZimmerError {
    /// What this says of Zimmer as a whole; nil where it says something of one call only.
    package var trouble: ZimmerTrouble? {
        // What Rails answers has a number, what Zimmer refuses a label.
        let isOfZimmer = requestID != nil || !label.isEmpty
        return switch code {
        case .transport: .unreachable
        case .serverError, .unavailable: isOfZimmer ? .failing : .unreachable
        // It answers too slowly, or without end.
        case .late: .failing
        case .signIn: .signIn
        case .edgeRefused: .edge
        case .redirected: .redirected
        case .tunnelMissingRoute: .tunnel
        case .notFound, .forbidden, .badBody: isOfZimmer || status == 0 ? nil : .elsewhere
        case .unreadable, .conflict, .refused, .rateLimited, .notAllowed, .noSignIn: nil
        }
    }
}

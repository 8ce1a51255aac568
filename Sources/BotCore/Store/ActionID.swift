/// What `log` and `status` call a thing that was done, so that it can be asked about.
package enum ActionID: Hashable, Sendable, CustomStringConvertible {
    /// A call of Zimmer: `act_17`.
    case action(Int64)
    /// A message: `dlv_…`.
    case delivery(String)

    /// Nil for a text that is neither.
    package init?(_ text: String) {
        if text.hasPrefix("dlv_") {
            self = .delivery(text)
        } else if text.hasPrefix("act_"), let number = Int64(text.dropFirst(4)) {
            self = .action(number)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .action(let number): "act_\(number)"
        case .delivery(let id): id
        }
    }
}

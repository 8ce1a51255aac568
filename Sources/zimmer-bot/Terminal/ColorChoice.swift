/// `--color`.
enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// Whether to colour what goes to a stream. `NO_COLOR` (no-color.org) counts where it is set to anything.
    func isOn(onTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: onTerminal && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
        }
    }
}

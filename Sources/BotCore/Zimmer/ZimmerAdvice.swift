package import Rules

/// What a person can do about a Zimmer that cannot be read.
package struct ZimmerAdvice: Hashable, Sendable {
    private var apiKey: SecretReference?
    private var hasEdgeToken: Bool

    /// - Parameter settings: nil where nothing is known of them.
    package init(_ settings: ZimmerSettings? = nil) {
        apiKey = settings?.apiKey
        hasEdgeToken = settings?.edgeToken != nil
    }

    /// One or two sentences for a notice.
    ///
    /// - Parameter reason: what the last reading failed of.
    package func sentence(for trouble: ZimmerTrouble, _ reason: String) -> String {
        switch trouble {
        case .unreachable: "Zimmer cannot be reached: \(reason)"
        case .failing: "Zimmer cannot do its work: \(reason)"
        case .signIn, .edge, .redirected, .tunnel, .elsewhere:
            "\(reason.prefix(1).uppercased())\(reason.dropFirst()). \(advice(for: trouble))"
        }
    }

    /// What to do; empty where waiting is all.
    package func advice(for trouble: ZimmerTrouble) -> String {
        switch trouble {
        case .unreachable, .failing: ""
        case .signIn: "Give the bot a new API key (in Zimmer: Settings → API keys): \(keyPlace)"
        case .edge where hasEdgeToken:
            "Its life is over, or it is another gate's: put a new one where zimmer.edge_token says"
        case .edge: "Give the bot one (zimmer.edge_token), or let its address through the gate"
        case .redirected: "Put that address into zimmer.url"
        case .tunnel: "Let the tunnel route /api/v1 to Zimmer"
        case .elsewhere: "What answers at zimmer.url is not Zimmer"
        }
    }

    /// The same for the log, about one error: there is always something.
    func remedy(for error: ZimmerError) -> String {
        switch error.trouble {
        case .unreachable?: "It is tried again by itself; look at the network, and whether Zimmer runs"
        case .failing?: "It is tried again by itself; Zimmer's log says more"
        case let trouble?: advice(for: trouble)
        case nil:
            switch error.code {
            case .badBody, .unreadable:
                "See what answers at zimmer.url, and what Zimmer's log says of it; it is tried again by itself"
            case .rateLimited: "It is tried again by itself; make 'poll' longer if that goes on"
            default: "Rules that need it cannot tell: switch them off, or see in Zimmer's log why"
            }
        }
    }

    /// Where a new key has to go to, and when it is read.
    private var keyPlace: String {
        switch apiKey?.source {
        case .file(let path): "put it into the file \(path), which is read at reload (SIGHUP)"
        case .environment(let name): "set \(name) for the bot's process and restart it"
        case .credential(let name): "put it where LoadCredential=\(name) takes it from, and restart the bot"
        case nil: "put it where zimmer.api_key says"
        }
    }
}

import Rules

/// `zimmer.sign_in` of one rules file: as whom the bot may act, and where.
struct ActingAccount: Sendable {
    let place: SignIn.Place
    /// As the channels name them.
    let person: String
    let allowed: Set<ZimmerCall>

    /// Nil where the file does not ask for it, which is what most do.
    init?(_ settings: ZimmerSettings, _ wire: ZimmerWire, allowed: Set<ZimmerCall>) {
        guard let signIn = settings.signIn, let client = SignInClient(signIn.client) else { return nil }
        place = SignIn.Place(client: client, endpoint: TokenEndpoint(wire: wire, issuer: settings.webURL))
        person = signIn.person
        self.allowed = allowed
    }

    func client(_ signIn: SignIn) -> ActingClient {
        ActingClient(place.endpoint.wire, as: place.client, of: person, signIn, allowed: allowed)
    }
}

import CEL
package import Rules

/// Signing in and out by hand: what `login` and `logout` do, without the talk.
///
/// Whoever uses it holds the lock of the state directory: with two processes on one sign-in, one spends the other's tokens.
package struct SignInDesk: Sendable {
    private let store: SignInStore
    private let endpoint: TokenEndpoint
    private let clock: any BotClock

    /// - Throws: `Assembly.Failure` or `SecretResolver.Failure`; the text says what to do.
    package init(
        _ directory: StateDirectory, _ file: RuleFile, secrets: SecretResolver, environment: BotEnvironment
    ) throws {
        guard let settings = file.zimmer else {
            throw Assembly.Failure(description: "\(file.name): 'zimmer' is missing")
        }
        guard let address = ZimmerAddress(settings.url) else {
            throw Assembly.Failure(description: "\(file.name): zimmer.url is not an http or https address")
        }
        let wire = ZimmerWire(
            address: address, edge: try settings.edgeToken.map { try EdgePass($0, from: secrets) },
            transport: environment.makeTransport(try settings.authorities(secrets)), version: environment.version)
        endpoint = TokenEndpoint(wire: wire, issuer: settings.webURL)
        store = SignInStore(directory)
        clock = environment.clock
    }

    /// What is kept; nil when nobody is signed in.
    package func record() throws(SignInStoreError) -> SignInRecord? { try store.load() }

    // MARK: - In

    /// Why nobody can sign in there as the rules file has it; nil where nothing speaks against it.
    package func obstacle() async -> String? {
        do throws(ZimmerError) {
            guard let issuer = try await endpoint.describedIssuer(), issuer != endpoint.issuer else {
                return nil
            }
            return "Zimmer calls itself \(issuer.prefix(200)), and zimmer.web_url is \(endpoint.issuer): set"
                + " zimmer.web_url to the former"
        } catch {
            return "nobody can sign in to this Zimmer: \(error)"
        }
    }

    package func question(for client: SignInClient) -> AuthorizationRequest {
        AuthorizationRequest(client, issuer: endpoint.issuer)
    }

    /// Takes the person's answer; when it returns the sign-in is on the disk.
    package func signIn(with code: AuthorizationCode) async throws -> SignInLevel {
        let asked = clock.now()
        let pair: TokenPair
        do throws(TokenEndpoint.Failure) {
            pair = try await endpoint.exchange(code, asked: asked)
        } catch {
            throw LoginFailure(error)
        }
        try store.save(
            SignInRecord(
                client: code.client, server: endpoint.wire.address.text, signedInAt: asked,
                state: .active(pair, doubtedSince: nil)))
        return pair.level
    }

    /// Presents the kept refresh token although it may be spent.
    package func retry(as client: SignInClient) async throws(SignInError) -> SignInLevel {
        try await SignIn(store, at: SignIn.Place(client: client, endpoint: endpoint), clock: clock).presentAgain().level
    }

    /// A client of its own for the bot; nobody is signed in by that.
    package func register() async throws(ZimmerError) -> SignInClient {
        try await endpoint.register("zimmer-bot", redirect: SignInClient.registeredRedirect)
    }

    // MARK: - Out

    /// Ends the sign-in in Zimmer, where it was made, and forgets it. Where Zimmer cannot be asked, nothing is forgotten.
    ///
    /// - Parameter zimmer: how Zimmer is reached; used where the sign-in is for that server.
    package static func signOut(
        _ record: SignInRecord, in directory: StateDirectory, zimmer: ZimmerSettings?, secrets: SecretResolver?,
        environment: BotEnvironment
    ) async throws {
        if let pair = record.pair, let address = ZimmerAddress(record.server) {
            let isThere = zimmer.flatMap { ZimmerAddress($0.url) } == address
            let (way, secrets) = isThere ? (zimmer, secrets) : (nil, nil)
            let gate = try way?.edgeToken.flatMap { token in try secrets.map { try EdgePass(token, from: $0) } }
            let certificates = try secrets.flatMap { secrets in try way?.authorities(secrets) }
            let wire = ZimmerWire(
                address: address, edge: gate, transport: environment.makeTransport(certificates),
                version: environment.version)
            let endpoint = TokenEndpoint(wire: wire, issuer: record.server)
            // One is enough, if it is known to Zimmer; after a lost answer only one of them may be.
            for token in [pair.refresh.secret, pair.access.secret] {
                try await endpoint.revoke(token, of: record.client)
            }
        }
        try forget(in: directory)
    }

    /// Leaves Zimmer alone.
    package static func forget(in directory: StateDirectory) throws(SignInStoreError) {
        try SignInStore(directory).remove()
    }
}

/// Why a person's yes has led to nothing.
package struct LoginFailure: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ failure: TokenEndpoint.Failure) {
        switch failure {
        case .ended(let reason):
            description =
                "Zimmer did not take the code (\(reason)): it lives for 60 seconds and works once; log in again"
        case .failed(let error, mayBeSpent: true):
            description = "the answer got lost (\(error)), and the code works once; log in again"
        case .failed(let error, mayBeSpent: false): description = "\(error)"
        }
    }
}

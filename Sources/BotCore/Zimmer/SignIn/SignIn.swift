import CEL

/// The one holder of a person's sign-in: gives out a token that is good now, and gets the next pair before its life ends.
///
/// However many ask at once, one refresh is under way. A new pair is on the disk before it is used, and a refresh whose
/// answer got lost is tried again with the same token only while Zimmer cannot take that for theft: all within a minute,
/// across restarts too. Outlives a reload.
package actor SignIn {
    /// Where it is used, as the rules file says.
    struct Place: Sendable {
        var client: SignInClient
        var endpoint: TokenEndpoint

        var server: String { endpoint.wire.address.text }
    }

    /// A token is not used in the last minute of its life.
    private static let margin: Duration = .seconds(60)
    /// Zimmer forgives a token that comes again for a minute; the request has to arrive within it.
    static let forgiveness: Duration = .seconds(55)
    /// Before each try of one refresh.
    private static let waits: [Duration] = [.zero, .zero, .seconds(2), .seconds(8), .seconds(20)]

    private let store: SignInStore
    private let clock: any BotClock
    private var place: Place
    /// What the file holds, or why that is not known.
    private var stored: Result<SignInRecord?, SignInStoreError>
    /// Newer than the file, which could not be written: not used before it can.
    private var unsaved: SignInRecord?
    private var flight: Task<Result<TokenPair, SignInError>, Never>?
    private var trouble: ZimmerError?

    init(_ store: SignInStore, at place: Place, clock: any BotClock) {
        self.store = store
        self.place = place
        self.clock = clock
        stored = Result { () throws(SignInStoreError) in try store.load() }
    }

    /// Another rules file: what is under way comes to its end first.
    func move(to place: Place) async {
        _ = await flight?.value
        self.place = place
    }

    /// Returns when no refresh is under way.
    func settle() async {
        _ = await flight?.value
    }

    // MARK: - Tokens

    /// A token that is good now, with what is known of its level.
    func pair() async throws(SignInError) -> TokenPair {
        if let flight { return try await flight.value.get() }
        let pair = try current()
        guard pair.expiresAt - clock.now() < Self.margin else { return pair }
        do throws(SignInError) {
            return try await refreshed()
        } catch {
            // It is good for the rest of its minute, unless Zimmer has ended all of it.
            if case .ended = error { throw error }
            guard pair.expiresAt > clock.now() else { throw error }
            return pair
        }
    }

    /// Another one, after Zimmer has refused this one although its time is not up.
    func pair(insteadOf refused: AccessToken) async throws(SignInError) -> TokenPair {
        if let flight { return try await flight.value.get() }
        let pair = try current()
        return pair.access == refused ? try await refreshed() : pair
    }

    /// Presents a token that may be spent, as an operator has asked for it.
    func presentAgain() async throws(SignInError) -> TokenPair {
        if let record = try known(), let pair = record.pair {
            try save(record.with(.active(pair, doubtedSince: nil)))
        }
        _ = try current()
        return try await refreshed()
    }

    private func refreshed() async throws(SignInError) -> TokenPair {
        // A caller that is cancelled must not leave a refresh without its end: the task is the actor's.
        let flight =
            flight
            ?? Task {
                let result = await Result.catching { () throws(SignInError) in try await refresh() }
                self.flight = nil
                return result
            }
        self.flight = flight
        return try await flight.value.get()
    }

    // MARK: - One refresh

    private func refresh() async throws(SignInError) -> TokenPair {
        guard let record = try known(), case .active(let pair, let doubt) = record.state else { return try current() }
        let start = clock.now()
        let since = doubt ?? start
        let spentAlready = start - since
        guard .zero <= spentAlready, spentAlready < Self.forgiveness else { throw .inDoubt(since: since) }
        // Killed from here on, the next process knows that the token may be spent, and since when.
        try save(record.with(.active(pair, doubtedSince: since)))
        let begun = clock.elapsed() - spentAlready
        var mayBeSpent = doubt != nil
        for wait in Self.waits {
            if wait > .zero { try? await clock.sleep(for: wait) }
            let left = Self.forgiveness - (clock.elapsed() - begun)
            guard left > .zero else { break }
            switch await present(pair.refresh, timeout: min(left, TokenEndpoint.timeout)) {
            case .success(let next):
                trouble = nil
                try save(record.with(.active(next, doubtedSince: nil)))
                return next
            case .failure(.ended(let reason)):
                try save(record.with(.ended(reason: reason, at: clock.now())))
                throw .ended(reason: reason)
            case .failure(.failed(let error, let isLost)):
                trouble = error
                mayBeSpent = mayBeSpent || isLost
                guard mayBeSpent else {
                    try save(record.with(.active(pair, doubtedSince: nil)))
                    throw .failed(error)
                }
            }
        }
        throw .inDoubt(since: since)
    }

    private func present(_ token: RefreshToken, timeout: Duration) async -> Result<TokenPair, TokenEndpoint.Failure> {
        let place = place
        let asked = clock.now()
        return await Result.catching { () throws(TokenEndpoint.Failure) in
            try await place.endpoint.refresh(token, of: place.client, asked: asked, timeout: timeout)
        }
    }

    // MARK: - What is held

    /// The pair that may be used: on the disk, and for this client and server.
    private func current() throws(SignInError) -> TokenPair {
        if let unsaved { try save(unsaved) }
        return try usable()
    }

    private func usable() throws(SignInError) -> TokenPair {
        guard let record = try known() else { throw .none }
        return try record.pair(of: place.client, at: place.server, now: clock.now())
    }

    private func known() throws(SignInError) -> SignInRecord? {
        do throws(SignInStoreError) {
            return try stored.get()
        } catch {
            throw .store(error)
        }
    }

    private func save(_ record: SignInRecord) throws(SignInError) {
        unsaved = record
        do throws(SignInStoreError) {
            try store.save(record)
        } catch {
            throw .store(error)
        }
        stored = .success(record)
        unsaved = nil
    }

    // MARK: - How it stands

    package var standing: SignInStanding {
        let level = (try? stored.get())?.pair?.level
        do throws(SignInError) {
            let pair = try usable()
            let isRefused = trouble?.code == .edgeRefused && pair.expiresAt <= clock.now()
            return SignInStanding(isRefused ? .edgeRefused : .ok, level, trouble.map { "\($0)" })
        } catch {
            return SignInStanding(error.state, level, error.description)
        }
    }

    /// Refreshes when it is time, so that a person's word does not wait for it and a sign-in that nobody uses stays alive.
    func keepAlive() async {
        _ = try? await pair()
    }
}

extension Result where Success: Sendable {
    fileprivate static func catching(
        _ body: () async throws(Failure) -> Success
    ) async -> Self {
        do throws(Failure) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

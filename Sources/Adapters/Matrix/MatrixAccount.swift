import AdapterKit
import Synchronization

/// An account at a homeserver, shared by its channels: signs in, makes calls, knows the rooms and listens to them.
///
/// A thin shell: what an answer means is read by `MatrixError`, `RoomReader` and `RoomState`.
actor MatrixAccount {
    /// How the account stands with its homeserver.
    private enum Session {
        /// Not signed in yet, or no longer.
        case closed
        case open(Secret)
        /// Only a person can help; until the time given nothing is asked of the homeserver.
        case refused(MatrixError, until: WallTime)
    }

    nonisolated let identity: MatrixIdentity
    nonisolated let store: any AdapterStore
    nonisolated let clock: any AdapterClock
    nonisolated let random: @Sendable () -> Double
    nonisolated let log: any AdapterLog
    private nonisolated let transport: any HTTPTransport
    private nonisolated let roster = Mutex<[MatrixChannel]>([])

    private var session = Session.closed
    private var openingError: MatrixError?
    private lazy var opening = SharedRun { [weak self] in await self?.open() }
    /// The homeserver wants to be left alone until then.
    private var busyUntil: WallTime?
    var own: String?

    /// How far a homeserver is believed that asks to wait.
    static let longestWait = Duration.seconds(900)

    // What +Rooms and +Sync keep.
    var rooms: [String: Room] = [:]
    /// The rooms that channels are in, by the channels' names.
    var entered: [String: String] = [:]
    /// The same, whether they could be entered or not.
    var resolved: [String: String] = [:]
    /// The successors that channels would follow to, by the channels' names.
    var awaited: [String: String] = [:]
    /// Who may know a room.
    var servers: [String: [String]] = [:]
    var handled = HandledEvents()
    /// When a channel that has no room may be tried again.
    var retries: [String: WallTime] = [:]
    private var problems: [String: String] = [:]
    private var accountProblem: String?

    init(_ identity: MatrixIdentity, _ context: AdapterContext) {
        self.identity = identity
        transport = context.transport
        store = context.store
        clock = context.clock
        random = context.random
        log = context.log
    }

    /// The channels of the account; more come while the rules file is read.
    nonisolated var channels: [MatrixChannel] { roster.withLock { $0 } }

    nonisolated func add(_ channel: MatrixChannel) {
        roster.withLock { $0.append(channel) }
    }

    // MARK: - Calls

    /// Makes a call, signed in; once more where the session had come to its end.
    func call(_ request: MatrixRequest) async throws(MatrixError) -> JSON {
        let token = try await token()
        do throws(MatrixError) {
            return try await exchange(request, token)
        } catch let error where error.kind == .newToken || error.kind == .accountRefused {
            end(token, error)
        }
        let another = try await self.token()
        do throws(MatrixError) {
            return try await exchange(request, another)
        } catch let error where error.kind == .newToken || error.kind == .accountRefused {
            throw refuse(error)
        }
    }

    private func exchange(_ request: MatrixRequest, _ token: Secret?) async throws(MatrixError) -> JSON {
        // A message over a limit must not keep the account from listening: the two have limits of their own.
        if !request.isSync, let busyUntil, case let wait = busyUntil - clock.now, wait > .zero, wait <= Self.longestWait
        {
            throw MatrixError(
                kind: .wait(wait, isLimit: true),
                reason: "\(identity.address) asked to wait \(wait.components.seconds + 1) s")
        }
        let redactor = Redactor([identity.secret] + (token.map { [$0] } ?? []))
        do {
            let response = try await transport.send(request.http(homeserver: identity.homeserver, token: token))
            return try MatrixError.read(response, from: identity.address, redactor: redactor, now: clock.now)
        } catch let error as MatrixError {
            if case .wait(let duration?, isLimit: true) = error.kind, !request.isSync {
                busyUntil = clock.now + min(duration, Self.longestWait)
            }
            throw error
        } catch let failure as HTTPFailure {
            throw MatrixError(failure, isMessage: request.isMessage, from: identity.address, redactor: redactor)
        } catch {
            throw MatrixError(
                kind: .wait(nil, isLimit: false), reason: "\(identity.address): the request was cancelled")
        }
    }

    // MARK: - Session

    private func token() async throws(MatrixError) -> Secret {
        if case .refused(_, let until) = session, until <= clock.now { session = .closed }
        if case .closed = session { await opening.run() }
        switch session {
        case .open(let token): return token
        case .refused(let error, _): throw error
        case .closed:
            throw openingError
                ?? MatrixError(
                    kind: .wait(nil, isLimit: false), reason: "\(identity.address): the sign-in was cancelled")
        }
    }

    /// Signs in, if nobody has in the meantime: signing in twice would end the first session of the device.
    private func open() async {
        guard case .closed = session else { return }
        openingError = nil
        switch identity.credential {
        case .token(let token):
            session = .open(token)
        case .password(let user, let password, let device):
            do throws(MatrixError) {
                let answer = try await exchange(.login(user: user, password: password, device: device), nil)
                guard let token = answer["access_token"]?.string else {
                    throw MatrixError(
                        kind: .wait(nil, isLimit: false), reason: "\(identity.address) gave no access token")
                }
                own = answer["user_id"]?.string
                session = .open(Secret(token))
            } catch {
                openingError = error
                if error.isFinal { _ = refuse(error) }
            }
        }
    }

    /// Takes an answer that does not accept a token.
    private func end(_ token: Secret, _ error: MatrixError) {
        guard case .open(token) = session else { return }
        if case .password = identity.credential, error.kind == .newToken {
            session = .closed
            log.write(.info, "the Matrix session ended, signing in again", [("homeserver", "\(identity.address)")])
        } else {
            _ = refuse(error)
        }
    }

    /// Stops asking: the homeserver would answer the same to every call. A call each hour shows whether somebody has helped.
    private func refuse(_ error: MatrixError) -> MatrixError {
        let reason = MatrixAdvice.refused(error, by: identity)
        let refusal = MatrixError(kind: .accountRefused, code: error.code, reason: reason)
        session = .refused(refusal, until: clock.now + .seconds(3300))
        log.write(.error, "the Matrix account is refused", [("reason", reason)])
        setAccountProblem(reason)
        return refusal
    }

    // MARK: - Health

    /// - Parameter reason: Nil where a call went well. One that was under way when the account was refused changes nothing.
    func setAccountProblem(_ reason: String?) {
        if reason == nil, case .refused = session { return }
        accountProblem = reason
        for channel in channels { report(channel) }
    }

    func setProblem(_ reason: String?, of channel: MatrixChannel) {
        problems[channel.name] = reason
        report(channel)
    }

    private func report(_ channel: MatrixChannel) {
        let reason = accountProblem ?? problems[channel.name]
        channel.monitor.report(reason.map(ConnectionState.down) ?? .up)
    }
}

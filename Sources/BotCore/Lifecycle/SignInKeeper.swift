import AdapterKit
import CEL
import Synchronization

/// Keeps the one sign-in of a bot, whatever rules file is in force: two holders of it would spend each other's tokens.
final class SignInKeeper: Sendable {
    /// Nil where nothing is kept: in a copy, and in memory.
    private let store: SignInStore?
    private let clock: any BotClock
    private let held = Mutex<SignIn?>(nil)

    init(_ location: StoreLocation, clock: any BotClock) {
        store = if case .directory(let directory) = location { SignInStore(directory) } else { nil }
        self.clock = clock
    }

    /// The sign-in for this account; nil where the rules file wants none.
    func signIn(for account: ActingAccount?) async -> SignIn? {
        guard let store else { return nil }
        if let account, let held = held.withLock({ $0 }) {
            await held.move(to: account.place)
            return held
        }
        let fresh = account.map { SignIn(store, at: $0.place, clock: clock) }
        await held.withLock { held in
            defer { held = fresh }
            return held
        }?.settle()
        return fresh
    }
}

/// Looks after the credentials for Zimmer, and lets people know while there is time that one of them needs a person.
struct CredentialWatch: Sendable {
    let edge: EdgePass?
    let signIn: SignIn?
    let ledger: Ledger
    let clock: any BotClock
    let log: any AdapterLog

    private static let interval: Duration = .seconds(15)

    func run() async {
        guard edge != nil || signIn != nil else { return }
        var last: SignInStanding?
        while !Task.isCancelled {
            last = await pass(after: last)
            do { try await clock.sleep(for: Self.interval) } catch { return }
        }
    }

    /// Says how things stand.
    @discardableResult
    func report() async -> SignInStanding? {
        let standing = await signIn?.standing
        await ledger.note(CredentialReport(signIn: standing, edgeExpiry: edge?.expiry, edgeFault: edge?.fault))
        return standing
    }

    /// Refreshes what is due and says how things stand; logged only where that is another than before.
    @discardableResult
    func pass(after last: SignInStanding? = nil) async -> SignInStanding? {
        await signIn?.keepAlive()
        let standing = await report()
        if let standing, standing != last {
            let values = [("state", standing.state.rawValue), ("level", standing.level?.description ?? "none")]
            log.write(
                standing.problem == nil ? .info : .warning, "the sign-in to act as a person",
                values + (standing.problem.map { [("problem", $0)] } ?? []))
        }
        return standing
    }
}

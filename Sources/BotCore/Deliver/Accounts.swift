import AdapterKit
import CEL
import Synchronization

/// What channels of one account share: how long the other side has asked it to wait, and how fast it may go.
package final class Accounts: Sendable {
    private struct Account {
        /// As the other side has asked.
        var askedUntil: Timestamp?
        /// A credential was refused.
        var refusedUntil: Timestamp?
        /// Channels that are to go at the same pace share it; one with a pace of its own keeps to that.
        var pacers: [Rate: Pacer] = [:]
    }

    private let accounts = Mutex<[String: Account]>([:])

    package init() {}

    /// How long the account has to wait, from now.
    func delay(of account: String, _ rate: Rate?, now: Timestamp) -> Duration {
        accounts.withLock { accounts in
            guard let known = accounts[account] else { return .zero }
            let pace = rate.flatMap { known.pacers[$0] }?.delay(now: WallTime(now)) ?? .zero
            // Nobody is believed for longer: such a pause means that the clock was put back.
            let pauses = [known.askedUntil, known.refusedUntil].compactMap { $0.map { $0 - now } }
                .filter { $0 <= DeliveryPolicy.maximumHint }
            return max(pauses.max() ?? .zero, pace, .zero)
        }
    }

    /// One message goes.
    func take(from account: String, _ rate: Rate?, now: Timestamp) {
        guard let rate else { return }
        accounts.withLock { accounts in
            accounts[account, default: Account()].pacers[rate, default: Pacer(rate)].take(now: WallTime(now))
        }
    }

    func pause(_ account: String, until time: Timestamp, isAsked: Bool) {
        let pause = isAsked ? \Account.askedUntil : \Account.refusedUntil
        accounts.withLock { accounts in
            let known = accounts[account]?[keyPath: pause]
            accounts[account, default: Account()][keyPath: pause] = known.map { max($0, time) } ?? time
        }
    }

    /// Other rules and secrets are in force: what was refused may be mended, what was asked for holds.
    func mend() {
        accounts.withLock { accounts in
            for account in accounts.keys { accounts[account]?.refusedUntil = nil }
        }
    }
}

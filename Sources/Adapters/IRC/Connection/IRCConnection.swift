import AdapterKit
import Synchronization

/// The one connection to a server under one nick, for all channels that are there. It comes back by itself.
final class IRCConnection: Sendable {
    /// A delivery that somebody waits for.
    struct Pending {
        var draft: Draft
        /// It is with the session.
        var isBegun = false
        var answer: CheckedContinuation<DeliveryOutcome, Never>
    }

    struct State {
        var slots: [ChannelSlot] = []
        var channels: [Membership] = []
        var nick: NickKeeper
        var rate: Rate?
        var session: Session?
        /// Why there is no connection, and when the next is tried; nil while one is made or there.
        var outage: (reason: String, until: WallTime)?
        var pending: [Int: Pending] = [:]
        var memory = AttemptMemory()
        var lastID = 0
        var time: SteadyTime
    }

    let settings: ServerSettings
    let state: Mutex<State>
    let bell = Bell()
    let byteStreams: any ByteStreamTransport
    let clock: any AdapterClock
    let random: @Sendable () -> Double
    let log: any AdapterLog
    let heard: HeardQueue
    private let shared = Mutex<SharedRun?>(nil)
    private let redactor: Mutex<(secrets: [Secret], redactor: Redactor)>

    init(_ settings: ServerSettings, _ context: AdapterContext) {
        self.settings = settings
        byteStreams = context.byteStreams
        clock = context.clock
        random = context.random
        log = context.log
        heard = HeardQueue(clock: context.clock, log: context.log)
        redactor = Mutex((settings.secrets, Redactor(settings.secrets)))
        state = Mutex(
            State(nick: NickKeeper(settings.nick, isGuest: context.isGuest), time: SteadyTime(context.clock.now)))
    }

    /// Adds a channel. Where channels differ in how fast they want to go, the slowest rules.
    ///
    /// - Returns: The number of its slot; nil where another channel has given another `key` for the same place.
    func add(_ slot: ChannelSlot, channel: String, key: Secret?, rate: Rate?) -> Int? {
        if let key {
            redactor.withLock { redactor in
                let secrets = redactor.secrets + [key]
                redactor = (secrets, Redactor(secrets))
            }
        }
        return state.withLock { state in
            var slot = slot
            let found = state.channels.firstIndex { CaseMapping.rfc1459.areEqual($0.name, channel) }
            if let found {
                guard state.channels[found].hasKey(key) else { return nil }
                slot.membership = found
            } else {
                slot.membership = state.channels.count
                state.channels.append(Membership(channel, key: key, now: state.time.now))
            }
            if let rate {
                let other = state.rate ?? rate
                state.rate = Rate(
                    burst: min(rate.burst, other.burst), per: max(rate.interval, other.interval))
            }
            state.slots.append(slot)
            return state.slots.count - 1
        }
    }

    /// Holds the connection, for whichever channel comes first.
    func run() async {
        let run = shared.withLock { shared in
            let run = shared ?? SharedRun { [weak self] in await self?.work() }
            shared = run
            return run
        }
        await run.run()
    }

    /// Says a message in a channel, and waits until the server has it for certain. Waits too while the first connection is
    /// made; each of its steps has an end.
    func deliver(_ draft: Draft) async -> DeliveryOutcome {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let isCancelled = state.withLock { state in
                    // Asked under the lock: a cancellation after this finds the entry.
                    if Task.isCancelled { return true }
                    state.pending[id] = Pending(draft: draft, answer: answer)
                    return false
                }
                if isCancelled { answer.resume(returning: .wait(reason: Self.cancelled, retryAfter: nil)) }
                settleOutage()
                bell.ring()
            }
        } onCancel: {
            let (pending, isUncertain) = state.withLock { state in
                (state.pending.removeValue(forKey: id), Self.takeBack(id, draft, &state))
            }
            pending?.answer.resume(
                returning: isUncertain ? .lost(reason: Self.cancelled) : .wait(reason: Self.cancelled, retryAfter: nil))
        }
    }

    private static let cancelled = "the delivery was cancelled"

    /// A reason as it may be shown: servers repeat what they were told.
    func shown(_ reason: String) -> String {
        redactor.withLock { $0.redactor }.redact(reason).printableLine.clipped(to: 300)
    }
}

import AdapterKit
import Synchronization

/// Between those who wait for deliveries and the session. All of it runs under the lock; who waits is told outside.
extension IRCConnection {
    typealias Answered = (answer: CheckedContinuation<DeliveryOutcome, Never>, outcome: DeliveryOutcome)

    /// Answers everybody while there is no connection.
    func settleOutage() {
        let answered = state.withLock { state -> [Answered] in
            guard let outage = state.outage else { return [] }
            let left = outage.until - state.time.advance(to: clock.now)
            return Self.endAll(&state, reason: outage.reason, retryAfter: max(left, .seconds(1)))
        }
        Self.tell(answered)
    }

    static func tell(_ answered: [Answered]) {
        for (answer, outcome) in answered { answer.resume(returning: outcome) }
    }

    /// Ends all deliveries, and keeps how far they came.
    static func endAll(_ state: inout State, reason: String, retryAfter: Duration?) -> [Answered] {
        defer { state.pending = [:] }
        return state.pending.map { id, pending in
            let isUncertain = takeBack(id, pending.draft, &state)
            return (pending.answer, isUncertain ? .lost(reason: reason) : .wait(reason: reason, retryAfter: retryAfter))
        }
    }

    /// Takes a delivery out of the session; true where nobody knows how much of it arrived.
    static func takeBack(_ id: Int, _ draft: Draft, _ state: inout State) -> Bool {
        guard let delivery = state.session?.takeBack(delivery: id) else { return false }
        state.memory.keep(delivery, draft.id)
        return delivery.isUncertain
    }

    /// Hands the session what can go, and refuses what cannot while a channel is closed to us.
    func beginPending(_ state: inout State, now: WallTime) -> [Answered] {
        var answered: [Answered] = []
        for (id, pending) in state.pending.sorted(by: { $0.key < $1.key }) where !pending.isBegun {
            let slot = state.slots[pending.draft.slot]
            guard let session = state.session, session.isReady else { continue }
            let channel = session.channels[slot.membership]
            if channel.isJoined {
                begin(pending.draft, id, slot, &state)
            } else if let problem = channel.problem, let until = channel.wakeAt {
                state.pending[id] = nil
                answered.append(
                    (pending.answer, .wait(reason: shown(problem), retryAfter: max(until - now, .seconds(1)))))
            }
        }
        return answered
    }

    private func begin(_ draft: Draft, _ id: Int, _ slot: ChannelSlot, _ state: inout State) {
        guard let session = state.session else { return }
        let channel = session.channels[slot.membership]
        let limit = session.textLimit(command: slot.command, target: channel.name)
        state.pending[id]?.isBegun = true
        state.session?.begin(
            LineDelivery(
                id: id, channel: slot.membership, target: channel.name, command: slot.command, label: draft.id,
                lines: state.memory.lines(draft, limit: limit),
                isPlain: !slot.usesFormats || channel.formats == .refused, confirmation: session.confirmation))
    }

    /// What the session has brought to an end.
    func finish(_ delivery: LineDelivery, _ state: inout State) -> Answered? {
        guard let pending = state.pending.removeValue(forKey: delivery.id) else { return nil }
        switch delivery.result {
        case .confirmed:
            state.memory.forget(pending.draft.id)
            return (pending.answer, .delivered(Receipt()))
        case .impossible(let reason):
            state.memory.forget(pending.draft.id)
            return (pending.answer, .never(reason: shown(reason)))
        case .refused(let reason):
            state.memory.keep(delivery, pending.draft.id)
            let reason = shown(reason)
            return (
                pending.answer, delivery.isUncertain ? .lost(reason: reason) : .wait(reason: reason, retryAfter: nil)
            )
        case nil:
            return nil
        }
    }
}

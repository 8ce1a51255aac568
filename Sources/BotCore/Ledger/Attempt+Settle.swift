import CEL
import Rules

// What follows from what is seen of a call, wherever it was made: by the executor, or in a rehearsal, which makes none.
extension Attempt {
    /// How long the effect of a call with a lost answer may take to show.
    static let settling: Duration = .seconds(60)
    /// How long it is looked for while Zimmer cannot be read. A state is looked for longer: it can be asked for again.
    static let searching: Duration = .seconds(3_600)

    enum Need {
        case call(ZimmerWrite)
        case nothing(Outcome)
    }

    /// The call to make, or how this ended where the session shows that none is needed.
    func need(on target: SessionReading) -> Need {
        // An earlier attempt that arrived late: a note must not be appended twice.
        if number > 1, isInEffect(on: target) { return .nothing(.done("read back")) }
        return zimmerWrite(on: target).map { .call($0) } ?? .nothing(.done("it was so already"))
    }

    /// What became of a call that says what a session is to be.
    ///
    /// - Parameter session: as it is now; nil where it is gone.
    func settled(by session: SessionReading?, at now: Timestamp, backOff: Duration) -> Outcome {
        guard let session else { return .refused("session \(request.session) is gone") }
        if isInEffect(on: session) { return .done("read back") }
        if case .favorite = request.kind, now - intendedAt < Self.settling {
            // One that is still on its way would turn back what another one turned.
            return .unsettled("the star is not yet as it was wanted")
        }
        return .retry("it had no effect", after: backOff)
    }

    /// What becomes of a call whose text is not found: it may still be on its way.
    func notFound(_ reason: String, at now: Timestamp) -> Outcome {
        now - intendedAt < Self.settling ? .unsettled(reason) : .unknown(reason)
    }

    /// What becomes of a call while nothing can be read.
    func unreadable(_ reason: String, at now: Timestamp) -> Outcome {
        let limit = request.isState ? PreparedRule.patience : Self.searching
        return now - intendedAt < limit ? .unsettled(reason) : .unknown(reason)
    }

    /// Exponential from a second to five minutes, with full jitter.
    ///
    /// - Parameter random: from 0 to 1.
    func backOff(_ random: Double) -> Duration {
        let longest = min(300, Double(1 << min(number - 1, 10)))
        return .milliseconds(Int(max(0.1, longest * random) * 1_000))
    }
}

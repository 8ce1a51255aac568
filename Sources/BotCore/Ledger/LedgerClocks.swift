import CEL

/// The clocks that decisions go by: this machine's, and Zimmer's as far as it is known.
struct LedgerClocks {
    private let local: any BotClock
    /// Zimmer's clock minus ours, where they differ by more than a few seconds.
    private(set) var skew: Duration
    /// An instant and the time that had passed by then: from here on instants go by the time that passes, so that no wait
    /// ends because somebody sets this machine's clock.
    private var anchor: (instant: Timestamp, elapsed: Duration)
    /// This machine's clock at the last decision, and the time that had passed by then.
    private var lastLook: (local: Timestamp, elapsed: Duration)

    /// Zimmer's clock was seen since this process began.
    private var isKnown = false
    /// By how much the last answer disagreed.
    private var doubt: Duration?

    /// So little may be the correction of a clock that goes a little fast or slow.
    static let correction: Duration = .seconds(60)

    init(_ local: any BotClock, skew: Duration) {
        self.local = local
        self.skew = skew
        let (now, elapsed) = (local.now(), local.elapsed())
        anchor = (now + skew, elapsed)
        lastLook = (now, elapsed)
    }

    /// Now, on Zimmer's clock when that differs much from ours. Learnt at each answer; between two it goes by the time that
    /// passes.
    var instant: Timestamp {
        anchor.instant + (local.elapsed() - anchor.elapsed)
    }

    /// Differences of a few seconds are the resolution of the `Date` header and the way of the answer. A clock that jumps
    /// is believed at the second answer that says so: one that a proxy with a wrong clock gave ends no wait.
    mutating func learn(_ measured: Duration) {
        let measured = measured > .seconds(5) || measured < .seconds(-5) ? measured : .zero
        guard isBelieved(measured) else { return }
        doubt = nil
        isKnown = true
        skew = measured
        anchor = (local.now() + skew, local.elapsed())
    }

    private mutating func isBelieved(_ measured: Duration) -> Bool {
        let jump = (local.now() + measured) - instant
        guard isKnown, jump > Self.correction || jump < .zero - Self.correction else { return true }
        defer { doubt = jump }
        guard let doubt else { return false }
        return max(jump - doubt, doubt - jump) <= Self.correction
    }

    /// Notes a decision.
    ///
    /// - Returns: how far somebody set this machine's clock forward since the one before; negative where it was put back.
    mutating func look(at now: Timestamp) -> Duration {
        let look = (local: now, elapsed: local.elapsed())
        defer { lastLook = look }
        return (look.local - lastLook.local) - (look.elapsed - lastLook.elapsed)
    }
}

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

    /// Zimmer answered since this process began. Until then it is not known how far its clock went meanwhile.
    private(set) var isKnown = false
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
    ///
    /// - Parameter measured: Zimmer's clock minus ours.
    /// - Returns: how far a clock that was known jumped; zero while it is as it should be, or not believed.
    @discardableResult
    mutating func learn(_ measured: Duration) -> Duration {
        defer { isKnown = true }
        let skew = measured > .seconds(5) || measured < .seconds(-5) ? measured : .zero
        let jump = (local.now() + skew) - instant
        let isJump = isKnown && (jump > Self.correction || jump < .zero - Self.correction)
        if isJump, !isBelieved(jump) { return .zero }
        doubt = nil
        self.skew = skew
        anchor = (local.now() + skew, local.elapsed())
        return isJump ? jump : .zero
    }

    private mutating func isBelieved(_ jump: Duration) -> Bool {
        defer { doubt = jump }
        guard let doubt else { return false }
        return max(jump - doubt, doubt - jump) <= Self.correction
    }

    /// Zimmer answered and said no time: what is known of its clock has to do.
    mutating func learnNothing() {
        isKnown = true
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

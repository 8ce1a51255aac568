import CEL

/// When the outcomes of a rule that reads the clock may change although nothing else does, so that not every subject has to
/// be evaluated at every reading.
///
/// Only what is near is kept. What lies further away is found again by evaluating everything once in a while.
struct Flips: Hashable, Sendable {
    private var times: [SubjectID: Timestamp] = [:]
    /// From the last decision to where `times` no longer knows of every flip; nil when it does not know at all.
    private var span: Range<Timestamp>?

    private static let reach = Duration.seconds(3_600)
    /// More flips than this are not worth to be kept.
    private static let capacity = 1_000

    init() {}

    /// Everything is evaluated now.
    mutating func begin(at now: Timestamp) {
        times = [:]
        span = now..<(now + Self.reach)
    }

    /// What was due is evaluated.
    mutating func advance(to now: Timestamp) {
        guard let end = span?.upperBound, now < end else { return }
        span = now..<end
    }

    /// Notes how long the outcome of a subject lasts.
    mutating func note(_ horizon: Horizon, of subject: @autoclosure () -> SubjectID) {
        guard let span else { return }
        if let end = horizon.end, end < span.upperBound {
            times[subject()] = end
            if times.count > Self.capacity { self = Flips() }
        } else if !times.isEmpty {
            times[subject()] = nil
        }
    }

    /// The subjects to evaluate because of the time; nil for all of them.
    func due(at now: Timestamp) -> [SubjectID]? {
        // A clock that went back is no reason to believe what was said of the future.
        guard let span, span.contains(now) else { return nil }
        return times.filter { $0.value <= now }.map(\.key)
    }
}

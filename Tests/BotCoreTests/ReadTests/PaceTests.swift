import Testing

@testable import BotCore

@Suite struct PaceTests {
    private typealias Outcome = Pace.Outcome
    private static let failed = Outcome.failed(retryAfter: nil)

    /// The pauses after these readings, in seconds.
    private func pauses(
        _ interval: Int, adapts: Bool = true, took: Duration = .zero, random: Double = 0, after outcomes: [Outcome]
    ) -> [Double] {
        var pace = Pace(interval: .seconds(interval), adapts: adapts)
        return outcomes.map { pace.pause(after: $0, took: took, random: random) / .seconds(1) }
    }

    @Test func `after ten readings without a change an interval grows, to twice itself and no further`() {
        let pauses = pauses(30, after: Array(repeating: .still, count: 40))
        #expect(pauses.prefix(9).allSatisfy { $0 == 30 })
        #expect(pauses[9...18].elementsEqual([33, 36, 39, 42, 45, 48, 51, 54, 57, 60]))
        #expect(pauses[19...].allSatisfy { $0 == 60 })
    }

    @Test(arguments: [30, 60, 120, 300, 900])
    func `an interval never grows to the three that make a reading stale, jitter included`(interval: Int) {
        let pauses = pauses(interval, random: 1, after: Array(repeating: .still, count: 100))
        #expect(pauses.allSatisfy { $0 < 2.5 * Double(interval) })
    }

    @Test func `one change brings the interval back`() {
        let pauses = pauses(30, after: Array(repeating: .still, count: 25) + [.moved, .still])
        #expect(pauses.suffix(2) == [30, 30])
    }

    @Test func `an interval that somebody wrote is taken as written`() {
        let pauses = pauses(30, adapts: false, after: Array(repeating: .still, count: 40))
        #expect(pauses.allSatisfy { $0 == 30 })
    }

    @Test(arguments: zip([15, 60, 900], [15.75, 63, 945]))
    func `chance only lengthens an interval, by a twentieth at most`(interval: Int, longest: Double) {
        #expect(pauses(interval, random: 0, after: [.moved]) == [Double(interval)])
        #expect(pauses(interval, random: 1, after: [.moved]) == [longest])
    }

    @Test(arguments: [1, 5, 14])
    func `a short interval has no jitter`(interval: Int) {
        #expect(pauses(interval, random: 1, after: [.moved]) == [Double(interval)])
    }

    @Test func `a reading that takes long is made less often`() {
        #expect(pauses(30, took: .seconds(7), after: [.moved]) == [23])
        #expect(pauses(30, took: .seconds(10), after: [.moved]) == [30])
        #expect(pauses(30, took: .seconds(20), after: [.moved]) == [60])
    }

    @Test(arguments: [(5, 5.0), (10, 10), (30, 10), (900, 10)])
    func `the first retry comes soon, whatever chance says`(interval: Int, expected: Double) {
        for random in [0, 0.5, 1] { #expect(pauses(interval, random: random, after: [Self.failed]) == [expected]) }
    }

    @Test(arguments: [
        (30, [10, 20, 40, 80, 120, 120]), (300, [10, 20, 40, 80, 160, 300]), (1, [1, 2, 4, 8, 16, 32]),
    ])
    func `retries double up to two minutes or the interval`(interval: Int, expected: [Double]) {
        #expect(pauses(interval, random: 1, after: Array(repeating: Self.failed, count: 6)) == expected)
    }

    @Test func `retries have full jitter, but never follow at once`() {
        let outcomes = Array(repeating: Self.failed, count: 4)
        #expect(pauses(30, random: 0.25, after: outcomes) == [10, 5, 10, 20])
        #expect(pauses(30, random: 0, after: outcomes) == [10, 1, 1, 1])
    }

    @Test func `what Zimmer asks for is honoured, up to an hour`() {
        #expect(pauses(30, after: [.failed(retryAfter: .seconds(45))]) == [45])
        #expect(pauses(30, after: [.failed(retryAfter: .seconds(1))]) == [10])
        #expect(pauses(30, after: [.failed(retryAfter: .seconds(86_400))]) == [3_600])
    }

    @Test func `a success brings the pace back, and the next failure begins anew`() {
        let failures = Array(repeating: Self.failed, count: 5)
        #expect(pauses(30, random: 1, after: failures + [.moved] + [Self.failed]).suffix(2) == [31.5, 10])
    }

    @Test func `a server that does not answer in time is not asked for most of the time`() {
        #expect(pauses(30, took: .seconds(20), after: [Self.failed]) == [60])
        #expect(pauses(30, took: .seconds(60), after: [Self.failed]) == [120])
    }

    @Test func `no number of failures or silent readings is too many`() {
        let many = Array(repeating: Self.failed, count: 10_000) + Array(repeating: Outcome.still, count: 10_000)
        let pauses = pauses(86_400 * 365, random: 1, after: many)
        #expect(pauses.allSatisfy { $0 > 0 && $0.isFinite })
    }

    @Test func `a write of ours is looked at soon, but a slow reading not more often than it may be`() {
        let pace = Pace(interval: .seconds(30), adapts: false)
        #expect(pace.pauseAfterWrite(took: .milliseconds(100)) == .seconds(2))
        #expect(pace.pauseAfterWrite(took: .seconds(5)) == .seconds(20))
    }
}

import AdapterKit
import Testing

@Suite struct PacerTests {
    private let start = WallTime(seconds: 1_791_547_320)

    /// When each of so many goes that wait from the start on.
    private func times(_ count: Int, _ rate: Rate) -> [Duration] {
        var pacer = Pacer(rate)
        var now = start
        return (0..<count).map { _ in
            now = now + pacer.delay(now: now)
            pacer.take(now: now)
            return now - start
        }
    }

    @Test func `so many go at once, then one each interval`() {
        #expect(
            times(6, Rate(burst: 3, per: .seconds(2)))
                == [.zero, .zero, .zero, .seconds(2), .seconds(4), .seconds(6)])
    }

    @Test func `what was not used comes back, up to the burst`() {
        var pacer = Pacer(Rate(burst: 2, per: .seconds(2)))
        for _ in 1...2 { pacer.take(now: start) }
        #expect(pacer.delay(now: start + .milliseconds(500)) == .milliseconds(1_500))
        let later = start + .seconds(3_600)
        for _ in 1...2 {
            #expect(pacer.delay(now: later) == .zero)
            pacer.take(now: later)
        }
        #expect(pacer.delay(now: later) == .seconds(2))
    }

    @Test func `a clock put back makes nobody wait for longer than one interval`() {
        var pacer = Pacer(Rate(burst: 1, per: .seconds(2)))
        pacer.take(now: start)
        #expect(pacer.delay(now: start + .seconds(-7_200)) == .seconds(2))
    }

    @Test(arguments: [Rate(burst: 0, per: .seconds(1)), Rate(burst: -5, per: .seconds(1))])
    func `one at least goes`(rate: Rate) {
        #expect(times(2, rate) == [.zero, .seconds(1)])
    }

    @Test func `no interval is no pace`() {
        #expect(times(100, Rate(burst: 1, per: .zero)).allSatisfy { $0 == .zero })
    }
}

/// Random moments, the same in every run of a test.
package struct Moments: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
    }

    /// Lets up to so many milliseconds pass.
    package mutating func pass(atMost milliseconds: Int) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds, using: &self)))
    }
}

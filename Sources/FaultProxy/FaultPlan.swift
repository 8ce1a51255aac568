/// Which requests meet which fault: a fixed sequence for a seed.
package struct FaultPlan: Sendable {
    /// Requests of one kind, and what may become of them.
    package struct Rule: Sendable {
        /// Nil for any.
        package var method: String?
        /// Path components; `*` stands for any one of them. Nil for any path.
        package var path: [Substring]?
        /// Each as likely as it is often here.
        package var faults: [ProxyFault]
        /// From 0 to 1.
        package var probability: Double
        /// How many are hit; nil for no end.
        package var times: Int?

        /// - Parameter path: as in `/api/v1/sessions/*/follow_up`.
        package init(
            _ method: String? = nil, _ path: String? = nil, _ faults: [ProxyFault], probability: Double = 1,
            times: Int? = nil
        ) {
            self.method = method
            self.path = path?.split(separator: "/")
            self.faults = faults
            self.probability = probability
            self.times = times
        }

        func matches(_ method: String, _ target: String) -> Bool {
            if let wanted = self.method, wanted != method { return false }
            guard let path else { return true }
            let parts = target.prefix { $0 != "?" }.split(separator: "/")
            return parts.count == path.count && zip(path, parts).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    /// The first that matches counts.
    package var rules: [Rule]
    private let seed: UInt64
    private var count: UInt64 = 0

    package init(_ rules: [Rule] = [], seed: UInt64 = 0) {
        self.rules = rules
        self.seed = seed
    }

    /// What becomes of the next request; nil for nothing. The n-th draw of a plan depends on the seed, the number and the
    /// request alone.
    package mutating func draw(_ method: String, _ target: String) -> ProxyFault? {
        count += 1
        guard let index = rules.firstIndex(where: { $0.times != 0 && $0.matches(method, target) }) else { return nil }
        var random = Draw(state: seed &+ count &* 0xD134_2543_DE82_EF95)
        guard Double.random(in: 0..<1, using: &random) < rules[index].probability,
            let fault = rules[index].faults.randomElement(using: &random)
        else { return nil }
        rules[index].times = rules[index].times.map { $0 - 1 }
        return fault
    }
}

/// SplitMix: good numbers also from seeds that differ little.
private struct Draw: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

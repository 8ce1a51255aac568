/// Money that was spent at one moment: an entry of the cost ledger.
package struct Spend: Sendable, Hashable {
    package var at: ServerTime
    package var usd: Double
    package var root: String
    package var model: String
    package var runtime: String
    /// Nil for spend outside any session.
    package var sessionID: Int?
    package var isSubagent: Bool

    package init(
        at time: ServerTime, usd: Double, root: String = "widgets", model: String = "opus",
        runtime: String = "claude_code", sessionID: Int? = nil, isSubagent: Bool = false
    ) {
        self.at = time
        self.usd = usd
        self.root = root
        self.model = model
        self.runtime = runtime
        self.sessionID = sessionID
        self.isSubagent = isSubagent
    }

    var tokens: Int { Int((usd * 410_000).rounded()) }
    var calls: Int { Int((usd * 9).rounded()) }
}

/// A sum over entries.
struct SpendSum: Sendable {
    var usd = 0.0
    var tokens = 0
    var calls = 0

    mutating func add(_ spend: Spend) {
        usd += spend.usd
        tokens += spend.tokens
        calls += spend.calls
    }

    static func + (left: Self, right: Self) -> Self {
        Self(usd: left.usd + right.usd, tokens: left.tokens + right.tokens, calls: left.calls + right.calls)
    }

    func scaled(by factor: Double) -> Self {
        Self(usd: usd * factor, tokens: Int(Double(tokens) * factor), calls: Int(Double(calls) * factor))
    }

    func row(_ key: String, _ name: String) -> JSON {
        [
            key: .string(name), "cost_usd": .double(usd), "tokens": .int(tokens), "api_calls": .int(calls),
        ]
    }
}

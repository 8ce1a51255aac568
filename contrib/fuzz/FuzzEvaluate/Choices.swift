import CEL

/// Values made of the bytes of an input; zero and empty ones when there are no more.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func below(_ bound: Int) -> Int {
        Int(rest.popFirst() ?? 0) % bound
    }

    mutating func pick<Item>(_ items: [Item]) -> Item {
        items[below(items.count)]
    }

    mutating func bool() -> Bool { below(2) == 1 }

    mutating func int() -> Int64 {
        pick([3, 0, -1, 1, 2, 63, 64, 1_000, .max, .min, .min + 1, 1 << 53 + 1, -62_135_596_800])
    }

    mutating func uint() -> UInt64 {
        pick([2, 0, 1, 64, .max, 1 << 63, 1 << 63 - 1])
    }

    mutating func double() -> Double {
        pick([
            1.5, 0, -0.0, 1, -2.5, 0.1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
            0x1p63, -0x1p63, 0x1p64, 1e21, 9_007_199_254_740_992,
        ])
    }

    /// At most 64 bytes.
    mutating func text() -> String {
        pick([
            "abc", "", "a", "b", "1", "true", "é", "e\u{301}", "🐱", "\0", "a,b", "%s", "10m", "-1.5h", "192.168.0.1",
            "::1/64", "2026-10-09T12:00:00Z", "Europe/Berlin", "(a+)+$", "YQ==", "\u{FFFD}", "ÿ",
            String(repeating: "a", count: 64), String(repeating: "é", count: 32), String(repeating: "\0", count: 64),
        ])
    }

    mutating func bytes() -> [UInt8] {
        pick([[0x61], [], [0xFF], [0xC3, 0xA9], [0xED, 0xA0, 0x80], Array(repeating: 0, count: 64)])
    }

    mutating func timestamp() -> Timestamp {
        pick([
            Timestamp(seconds: 1_000), Timestamp(seconds: 0), Timestamp(seconds: -1, nanoseconds: 999_999_999),
            Timestamp(seconds: -62_135_596_800), Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999),
            Timestamp(seconds: 1_791_547_200), Timestamp(seconds: 951_782_400),
        ])
    }

    mutating func duration() -> Duration {
        pick([
            .seconds(60), .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(-3_600), .nanoseconds(Int64.max),
            .nanoseconds(Int64.min), .milliseconds(1_500),
        ])
    }

    /// At most `limit` of them.
    mutating func list<Item>(upTo limit: Int, _ make: (inout Choices) -> Item) -> [Item] {
        let count = [2, 0, 1, limit][below(4)]
        var items: [Item] = []
        for _ in 0..<min(count, limit) { items.append(make(&self)) }
        return items
    }
}

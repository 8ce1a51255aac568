import CEL

/// Numbers as a line of bars, from the smallest to the largest of them; what is no number leaves a gap.
enum Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let longest = 500

    static func draw(_ value: Value?) -> Value {
        guard case .list(let elements) = value else { return .refused("sparkline() takes a list of numbers") }
        guard elements.count <= longest else { return .refused("sparkline() takes at most \(longest) numbers") }
        let numbers = elements.map(\.number)
        guard !numbers.contains(where: { $0 == nil }) else { return .refused("sparkline() takes a list of numbers") }
        let finite = numbers.compactMap { $0 }.filter(\.isFinite)
        guard let low = finite.min(), let high = finite.max() else { return .string("") }
        // Halves, so that the difference of two finite numbers stays finite.
        let range = high / 2 - low / 2
        let line = numbers.map { number -> Character in
            guard let number, number.isFinite else { return " " }
            let share = range > 0 ? (number / 2 - low / 2) / range : 0
            return bars[Int((share * Double(bars.count - 1)).rounded())]
        }
        return .string(String(line))
    }
}

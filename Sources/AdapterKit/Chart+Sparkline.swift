extension Chart {
    /// The chart as one line of text: `Costs per day: 10-01 ▁▂▅█▃ 10-05, at most $12.30`.
    ///
    /// Of more than 40 points, neighbours share a bar, as high as the highest of them. What is no number is a dot.
    public var sparkline: String {
        let title = title.printableLine.clipped(to: 100)
        guard let first = points.first, let last = points.last else { return title }
        let values = points.map { $0.value.isFinite ? max(0, $0.value) : nil }
        let most = values.lazy.compactMap(\.self).max() ?? 0
        let bars = Self.highest(of: values, inGroups: min(values.count, 40)).map { Self.bar($0, of: most) }
        let names = [first, last].map { $0.label.printableLine.clipped(to: 20) }
        let heading = title.isEmpty ? "" : "\(title):"
        return [heading, names[0], String(bars), "\(names[1]), at most \(unit.text(most))"]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func highest(of values: [Double?], inGroups count: Int) -> [Double?] {
        (0..<count).map { group in
            values[(group * values.count / count)..<((group + 1) * values.count / count)].compactMap(\.self).max()
        }
    }

    private static func bar(_ value: Double?, of most: Double) -> Character {
        guard let value else { return "·" }
        let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return most > 0 ? bars[min(7, Int(value / most * 7.999))] : bars[0]
    }
}

extension Chart.Unit {
    /// A value as people write it: `$12.30`. What is no number is `?`; a billion dollars and more are `$1000000000.00`.
    public func text(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        let cents = Int((min(abs(value), 1_000_000_000) * 100).rounded())
        let fraction = cents % 100
        return "\(value < 0 && cents > 0 ? "-" : "")$\(cents / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

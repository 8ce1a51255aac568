import AdapterKit

/// What of a chart is drawn, and how high.
struct ChartScale {
    struct Bar: Hashable {
        var label: String
        /// Nil where the value is no number.
        var value: Double?
    }

    let bars: [Bar]
    /// Where the axis ends: a round number, at least the highest value and never 0.
    let top: Double
    /// Of the lines across, from 0 to `top`.
    let step: Double

    /// Dollars beyond this are drawn as this many.
    private static let largest = 1_000_000_000.0

    /// Of more points than `count`, neighbours share a bar, as high as the highest of them.
    init(_ points: [Chart.Point], atMost count: Int) {
        let values = points.map { $0.value.isFinite ? min(max(0, $0.value), Self.largest) : nil }
        let bars = min(points.count, count)
        self.bars = (0..<bars).map { bar in
            let group = (bar * points.count / bars)..<((bar + 1) * points.count / bars)
            let label = points[group.lowerBound].label.printableLine.clipped(to: 40)
            return Bar(label: label, value: values[group].compactMap(\.self).max())
        }
        let most = values.compactMap(\.self).max() ?? 0
        step = Self.step(for: most)
        // 0.07 is a hair more than seven times 0.01.
        top = max(step, (most / step - 1e-9).rounded(.up) * step)
    }

    /// 1, 2, 2.5 or 5 times a power of ten, so that there are four to ten lines; whole cents.
    private static func step(for most: Double) -> Double {
        var unit = 0.01
        while unit * 50 < most { unit *= 10 }
        return [1, 2, 2.5, 5].map { $0 * unit }.first { $0 * 8 >= most } ?? unit * 10
    }
}

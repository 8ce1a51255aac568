import AdapterKit

/// A chart as one line of text: `Costs ▁▂▇█ $0.20 (Mon) … $4.10 (Thu)`.
enum SparkLine {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let mostPoints = 60

    static func text(of chart: Chart) -> String {
        let points = chart.points.suffix(mostPoints)
        let values = points.map(\.value)
        let finite = values.filter(\.isFinite)
        guard let first = points.first, let last = points.last, let low = finite.min(), let high = finite.max() else {
            return chart.title.withoutFormatting
        }
        // Halves, so that the difference of two finite numbers stays finite.
        let range = high / 2 - low / 2
        let line = values.map { value -> Character in
            guard value.isFinite else { return " " }
            let share = range > 0 ? (value / 2 - low / 2) / range : 0
            return bars[Int((share * Double(bars.count - 1)).rounded())]
        }
        let ends = points.count > 1 ? [first, last].map { text(of: $0, chart.unit) } : [text(of: first, chart.unit)]
        let title = chart.title.withoutFormatting
        return (title.isEmpty ? "" : title + " ") + String(line) + " " + ends.joined(separator: " … ")
    }

    private static func text(of point: Chart.Point, _ unit: Chart.Unit) -> String {
        let label = point.label.withoutFormatting.clipped(to: 24)
        return "\(amount(point.value, unit)) (\(label))"
    }

    private static func amount(_ value: Double, _ unit: Chart.Unit) -> String {
        // Beyond this, cents are noise and `Int` has an end.
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let cents = Int((abs(value) * 100).rounded())
        let fraction = cents % 100
        switch unit {
        case .usd: return (value < 0 ? "-$" : "$") + "\(cents / 100).\(fraction < 10 ? "0" : "")\(fraction)"
        }
    }
}

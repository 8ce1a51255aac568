package import AdapterKit

/// Draws charts, for the channels that take pictures.
package struct ChartPicture {
    private let chart: Chart
    private let scale: ChartScale
    private let canvas: ChartCanvas

    private static let width = 800
    private static let height = 400
    private static let mostBars = 60
    /// The part of the picture in which the bars stand.
    private static let plot = (left: 90.0, right: 780.0, top: 60.0, bottom: 350.0)
    private static let textSize = 13.0

    /// A bar chart as a PNG, the same bytes for the same chart on one machine. Nil for a chart without points, and where it
    /// cannot be drawn.
    package static func draw(_ chart: Chart) -> Picture? {
        guard
            !chart.points.isEmpty, let canvas = ChartCanvas(width: width, height: height),
            let bytes = ChartPicture(
                chart: chart, scale: ChartScale(chart.points, atMost: mostBars), canvas: canvas
            ).bytes()
        else { return nil }
        return Picture(
            bytes: bytes, mediaType: "image/png", width: width, height: height, description: description(of: chart))
    }

    /// `Costs per day: 10-01 to 10-05, at most $12.30 (10-04)`.
    private static func description(of chart: Chart) -> String {
        func label(_ point: Chart.Point?) -> String { point?.label.printableLine.clipped(to: 40) ?? "" }
        let title = chart.title.printableLine.clipped(to: 200)
        let range = "\(label(chart.points.first)) to \(label(chart.points.last))"
        let highest = chart.points.filter(\.value.isFinite).max { $0.value < $1.value }
        guard let highest else { return "\(title): \(range)" }
        return "\(title): \(range), at most \(chart.unit.text(highest.value)) (\(label(highest)))"
    }

    private func bytes() -> [UInt8]? {
        let title = chart.title.printableLine.clipped(to: 200)
        canvas.write(title, x: 20, y: 34, size: 20, .ink, room: Double(Self.width) - 40)
        drawLines()
        drawBars()
        return canvas.png()
    }

    private func drawLines() {
        var value = 0.0
        while value <= scale.top * 1.0001 {
            let y = y(of: value)
            canvas.fill(x: Self.plot.left, y: y.rounded(), width: Self.plot.right - Self.plot.left, height: 1, .line)
            canvas.write(
                chart.unit.text(value), x: Self.plot.left - 8, y: y + 4, size: Self.textSize, .pale, .right,
                room: Self.plot.left - 12)
            value += scale.step
        }
    }

    private func drawBars() {
        let slot = (Self.plot.right - Self.plot.left) / Double(scale.bars.count)
        // Labels that would touch leave some out, down to the first and the last.
        let widest = scale.bars.map { canvas.width(of: $0.label, size: Self.textSize) }.max() ?? 0
        let stride = slot >= 60 ? 1 : max(1, Int((min(widest, 120) + 12) / slot) + 1)
        for (index, bar) in scale.bars.enumerated() {
            let middle = Self.plot.left + (Double(index) + 0.5) * slot
            draw(bar, middle: middle, slot: slot)
            guard index.isMultiple(of: stride) else { continue }
            canvas.write(
                bar.label, x: middle, y: Self.plot.bottom + 22, size: Self.textSize, .ink, .center,
                room: max(slot, min(slot * Double(stride), 132)) - 8)
        }
    }

    private func draw(_ bar: ChartScale.Bar, middle: Double, slot: Double) {
        guard let value = bar.value else {
            return canvas.write(
                "?", x: middle, y: Self.plot.bottom - 4, size: Self.textSize, .pale, .center, room: slot)
        }
        let width = min(max(slot * 0.7, 1), 90)
        let top = y(of: value)
        canvas.fill(x: middle - width / 2, y: top, width: width, height: Self.plot.bottom - top, .bar)
        guard slot >= 50 else { return }
        canvas.write(
            chart.unit.text(value), x: middle, y: top - 6, size: Self.textSize, .ink, .center, room: slot + 20)
    }

    private func y(of value: Double) -> Double {
        Self.plot.bottom - (Self.plot.bottom - Self.plot.top) * value / scale.top
    }
}

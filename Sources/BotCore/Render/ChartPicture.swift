import AdapterKit

/// Draws charts.
enum ChartPicture {
    static func draw(_ chart: Chart) -> Picture? { nil }
}

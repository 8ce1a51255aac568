import AdapterKit
import Testing

@Suite struct SparklineTests {
    private func chart(_ values: [Double]) -> Chart {
        Chart(
            title: "Costs per day",
            points: values.enumerated().map { Chart.Point(label: "10-\($0 + 1)", value: $1) })
    }

    @Test func `a chart is one line with its ends and its most`() {
        #expect(
            chart([0, 2.5, 5, 12.3]).sparkline == "Costs per day: 10-1 ▁▂▄█ 10-4, at most $12.30")
    }

    @Test func `a chart without points is its title`() {
        #expect(chart([]).sparkline == "Costs per day")
    }

    @Test(arguments: [
        ([0.0, 0], "▁▁", "$0.00"), ([.nan, 1, -.infinity, .infinity, -3], "·█··▁", "$1.00"), ([.nan], "·", "$0.00"),
        ([.leastNonzeroMagnitude, .greatestFiniteMagnitude], "▁█", "$1000000000.00"),
    ])
    func `values that are none do no harm`(values: [Double], bars: String, most: String) {
        let sparkline = chart(values).sparkline
        #expect(sparkline.contains(" \(bars) "))
        #expect(sparkline.hasSuffix("at most \(most)"))
    }

    @Test func `ten thousand points and endless labels stay one short line`() {
        var many = chart((0..<10_000).map(Double.init))
        many.title = String(repeating: "x\n", count: 5000)
        many.points[0].label = "a\r\nb\u{202E}" + String(repeating: "\u{301}", count: 5000)
        let sparkline = many.sparkline
        #expect(sparkline.count < 250)
        #expect(sparkline.printableLine == sparkline)
        #expect(sparkline.contains("▇▇█"))
    }
}

import AdapterKit
import Foundation
import Testing

@testable import BotCore

@Suite struct ChartPictureTests {
    private func chart(_ values: [Double], label: String = "10-") -> Chart {
        Chart(
            title: "Costs per day",
            points: values.enumerated().map { Chart.Point(label: "\(label)\($0 + 1)", value: $1) })
    }

    private func pixels(_ picture: Picture) throws -> (width: Int, height: Int) {
        #expect(picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        func number(at place: Int) -> Int { picture.bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(at: 16), number(at: 20))
    }

    @Test func `a chart is a PNG of its size, the same each time`() throws {
        let picture = try #require(ChartPicture.draw(chart([1, 2.5, 0, 12.3])))
        let (width, height) = try pixels(picture)
        #expect(width == picture.width && height == picture.height)
        #expect(width == 800 && height == 400)
        #expect(picture.mediaType == "image/png")
        #expect(picture.bytes.count < 40_000)
        #expect(ChartPicture.draw(chart([1, 2.5, 0, 12.3])) == picture)
        #expect(ChartPicture.draw(chart([1, 2.5, 1, 12.3]))?.bytes != picture.bytes)
    }

    @Test func `its description says what it shows`() {
        let description = ChartPicture.draw(chart([1, 12.3, 0]))?.description
        #expect(description == "Costs per day: 10-1 to 10-3, at most $12.30 (10-2)")
    }

    @Test func `a chart without points is no picture`() {
        #expect(ChartPicture.draw(chart([])) == nil)
    }

    @Test(arguments: [
        [0.0, 0, 0], [.nan], [.nan, .infinity, -.infinity, -5], [.greatestFiniteMagnitude, 1],
        [.leastNonzeroMagnitude], (0..<10_000).map(Double.init), [1_000_000_000_000],
    ])
    func `values that are none, too large or too many are drawn all the same`(values: [Double]) throws {
        let picture = try #require(ChartPicture.draw(chart(values)))
        #expect(picture.bytes.count < 100_000)
        #expect(picture.description.count < 400)
    }

    @Test(arguments: [
        String(repeating: "x", count: 5000), "a\r\nb\u{0}c", "\u{202E}rtl", String(repeating: "👨‍👩‍👧‍👦", count: 500),
        "a" + String(repeating: "\u{301}", count: 5000), "", "漢字かな",
    ])
    func `any words fit`(words: String) throws {
        var chart = chart(Array(repeating: 3, count: 30), label: words)
        chart.title = words
        #expect(try #require(ChartPicture.draw(chart)).bytes.count < 100_000)
    }

    @Test func `without any font it is drawn too`() async {
        await #expect(processExitsWith: .success) {
            setenv("FONTCONFIG_FILE", "/dev/null", 1)
            let chart = Chart(title: "Costs", points: [Chart.Point(label: "Mon", value: 1)])
            exit(ChartPicture.draw(chart) == nil ? 1 : 0)
        }
    }
}

@Suite struct ChartScaleTests {
    private func scale(_ values: [Double], atMost count: Int = 60) -> ChartScale {
        ChartScale(values.map { Chart.Point(label: "\($0)", value: $0) }, atMost: count)
    }

    @Test(
        arguments: [
            (0, 0.01, 0.01), (0.07, 0.07, 0.01), (1, 1.0, 0.2), (12.3, 14, 2), (99, 100, 20), (437, 500, 100),
            (1e30, 1e9, 2e8),
        ] as [(Double, Double, Double)])
    func `the axis ends at a round number`(most: Double, top: Double, step: Double) {
        let scale = scale([0, most])
        #expect(abs(scale.top - top) < top * 1e-9, "\(scale.top)")
        #expect(abs(scale.step - step) < step * 1e-9, "\(scale.step)")
    }

    @Test func `of many points the highest of each few is shown`() {
        let bars = scale((0..<100).map(Double.init), atMost: 10).bars
        #expect(bars.count == 10)
        #expect(bars.first == ChartScale.Bar(label: "0.0", value: 9))
        #expect(bars.last == ChartScale.Bar(label: "90.0", value: 99))
    }

    @Test func `what is no number has no bar`() {
        #expect(scale([.nan, -1, .infinity, 2]).bars.map(\.value) == [nil, 0, nil, 2])
    }
}

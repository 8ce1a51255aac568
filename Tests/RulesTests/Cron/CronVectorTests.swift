import CEL
import Foundation
import Testing

@testable import Rules

/// One row of `cron-vectors.json`: the first five times after `start`, found by walking minute by minute.
struct CronVector: Decodable, Sendable, CustomTestStringConvertible {
    var expr: String
    var zone: String
    var start: String
    var note: String
    var next: [String]

    enum CodingKeys: String, CodingKey {
        case expr, zone, start, note
        case next = "next_utc"
    }

    var testDescription: String { "\(expr) in \(zone): \(note)" }

    static let all: [CronVector] = {
        struct File: Decodable { var vectors: [CronVector] }
        guard let url = Bundle.module.url(forResource: "Fixtures/cron-vectors", withExtension: "json"),
            let data = try? Data(contentsOf: url), let file = try? JSONDecoder().decode(File.self, from: data)
        else { return [] }
        return file.vectors
    }()
}

@Suite struct CronVectorTests {
    @Test func `there are vectors`() {
        #expect(CronVector.all.count == 22)
    }

    @Test(arguments: CronVector.all)
    func `gives the times of a walk over every minute`(vector: CronVector) throws {
        let schedule = try CronSchedule(parsing: vector.expr)
        var time = instant(vector.start)
        for expected in vector.next {
            time = try #require(schedule.next(after: time, in: vector.zone))
            #expect(time == instant(expected))
        }
    }

    @Test(arguments: CronVector.all)
    func `finds the same times backwards`(vector: CronVector) throws {
        let schedule = try CronSchedule(parsing: vector.expr)
        for (earlier, later) in zip(vector.next, vector.next.dropFirst()) {
            #expect(schedule.latest(atOrBefore: instant(earlier), in: vector.zone) == instant(earlier))
            #expect(schedule.latest(atOrBefore: instant(later) - .seconds(1), in: vector.zone) == instant(earlier))
        }
    }
}

/// An instant as RFC 3339 writes it.
func instant(_ text: String) -> Timestamp {
    let date = (try? Date(text, strategy: .iso8601)) ?? .distantPast
    return Timestamp(seconds: Int64(date.timeIntervalSince1970.rounded()))
}

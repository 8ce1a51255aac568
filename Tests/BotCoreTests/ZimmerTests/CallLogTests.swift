import AdapterKitTesting
import BotTestSupport
import Testing

@testable import BotCore

@Suite struct CallLogTests {
    private let lines = RecordingLog()
    private let clock = ManualClock()
    private let log: CallLog

    init() {
        log = CallLog(lines, clock)
    }

    private func note(_ call: ZimmerCall, _ error: ZimmerError? = nil, method: String = "GET") {
        var record = CallLog.Record(call, method, ["sessions", "7"])
        record.status = error?.status ?? 200
        record.took = .milliseconds(42)
        record.requestID = "r-1"
        record.error = error
        log.note(record)
        clock.clock.advance(by: .seconds(30))
    }

    /// What is logged without asking for more.
    private var shown: [String] {
        lines.lines.filter { !$0.hasPrefix("debug:") }.map { String($0.prefix { $0 != "=" }) }
    }

    private static let away = ZimmerError(.transport, message: "cannot connect", reach: .notSent)

    @Test func `an outage is one line at its beginning and one at its end`() {
        note(.board)
        for _ in 1...20 { note(.board, Self.away) }
        note(.board)
        #expect(shown == ["warning: Zimmer cannot be read call", "info: Zimmer can be read again after"])
        #expect(lines.lines.contains("info: Zimmer can be read again after=10 min failed_calls=20"))
        #expect(lines.lines.filter { $0.hasPrefix("debug:") }.count == 21)
    }

    @Test func `an outage that becomes another one is said again`() {
        for _ in 1...3 { note(.board, Self.away) }
        for _ in 1...3 {
            note(.board, ZimmerError(.signIn, status: 401, label: "Unauthorized", message: "Invalid API key"))
        }
        #expect(shown == ["warning: Zimmer cannot be read call", "warning: Zimmer cannot be read call"])
    }

    @Test func `a call that keeps failing by itself is one line, and one when it works again`() {
        note(.board)
        let missing = ZimmerError(.notFound, status: 404, message: "no reason given", requestID: "r-2")
        for _ in 1...4 { note(.backlog, missing) }
        note(.board)
        note(.backlog)
        #expect(shown == ["warning: a call of Zimmer failed call", "info: a call of Zimmer works again call"])
    }

    @Test func `a session that is gone is no failure`() {
        note(.session, ZimmerError(.notFound, status: 404, label: "Not Found", message: "not found"))
        #expect(shown.isEmpty)
    }

    @Test func `every write has a line with what it takes to find it in Zimmer's log`() {
        note(.archive, method: "POST")
        note(.archive, ZimmerError(.refused, status: 422, label: "Invalid", message: "secret words"), method: "POST")
        let place = "call=archive method=POST path=/api/v1/sessions/7"
        #expect(
            lines.lines == [
                "info: wrote to Zimmer \(place) status=200 ms=42 x-request-id=r-1",
                "warning: a write to Zimmer failed \(place) status=422 ms=42 x-request-id=r-1 error=refused",
            ])
    }
}

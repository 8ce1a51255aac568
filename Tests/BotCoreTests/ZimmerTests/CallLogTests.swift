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

    private func read(_ reader: String, _ error: ZimmerError? = nil, problem: String? = nil, outage: Bool = false) {
        log.note(reader, error, error?.description ?? problem, outage ? error?.trouble : nil)
        clock.clock.advance(by: .seconds(30))
    }

    /// What is logged without asking for more.
    private var shown: [String] {
        lines.lines.filter { !$0.hasPrefix("debug:") }.map { String($0.prefix { $0 != "=" }) }
    }

    private static let away = ZimmerError(.transport, message: "cannot connect", reach: .notSent)
    private static let refusal = ZimmerError(.signIn, status: 401, label: "Unauthorized", message: "Invalid API key")
    private static let broken = ZimmerError(.serverError, status: 500, message: "no reason given", requestID: "r-2")

    @Test func `an outage is one line at its beginning and one at its end`() {
        read("board")
        for _ in 1...20 { read("board", Self.away, outage: true) }
        read("board")
        #expect(shown == ["warning: Zimmer cannot be read reader", "info: Zimmer can be read again after"])
        #expect(
            lines.lines.contains(
                "warning: Zimmer cannot be read reader=board error=transport problem=cannot connect"
                    + " what_to_do=It is tried again by itself; look at the network, and whether Zimmer runs"))
        #expect(lines.lines.contains("info: Zimmer can be read again after=10 min failed_readings=20"))
        #expect(lines.lines.filter { $0.hasPrefix("debug:") }.count == 19)
    }

    @Test func `an outage that becomes another one is said again, and one that goes back and forth is not`() {
        for error in [Self.away, Self.refusal, Self.away, Self.refusal] { read("board", error, outage: true) }
        #expect(shown == Array(repeating: "warning: Zimmer cannot be read reader", count: 2))
        #expect(lines.lines[1].contains("status=401"))
        #expect(lines.lines[1].contains("what_to_do=Give the bot a new API key"))
    }

    @Test func `the last line of an outage comes to say what it still is`() {
        for error in [Self.away, Self.refusal] { read("board", error, outage: true) }
        for _ in 1...30 { read("board", Self.away, outage: true) }
        let said = lines.lines.filter { $0.hasPrefix("warning: Zimmer cannot be read") }
        #expect(said.map { $0.contains("cannot connect") } == [true, false, true])
    }

    @Test func `a reader that fails while others are answered has lines of its own`() {
        for _ in 1...4 {
            read("backlog", Self.broken)
            read("board")
        }
        read("backlog")
        for _ in 1...4 { read("board", problem: "found 3 sessions, but Zimmer counts 4") }
        read("board")
        #expect(
            shown == [
                "warning: a reading failed reader", "info: a reading works again reader",
                "warning: a reading is not whole reader", "info: a reading is whole again reader",
            ])
        #expect(lines.lines[0].contains("status=500 x-request-id=r-2 problem="))
    }

    @Test func `what another reader ends is still said of the one that goes on failing`() {
        read("board", Self.away, outage: true)
        read("health")
        for _ in 1...3 { read("board", Self.away) }
        #expect(
            shown == [
                "warning: Zimmer cannot be read reader", "info: Zimmer can be read again after",
                "warning: a reading failed reader",
            ])
    }

    @Test func `a call that fails for one session and works for others is one line, and one when it works for all`() {
        for _ in 1...10 {
            note(.conversation, Self.broken)
            note(.conversation)
        }
        #expect(shown == ["warning: a call of Zimmer failed call"])
        for _ in 1...10 { note(.conversation) }
        #expect(shown.dropFirst() == ["info: a call of Zimmer works again call"])
    }

    @Test func `a call that finds nobody is left to the readings, unless they find somebody`() {
        note(.configs, Self.away)
        read("board", Self.away, outage: true)
        for _ in 1...3 { note(.configs, Self.away) }
        #expect(shown == ["warning: Zimmer cannot be read reader"])
        read("board")
        note(.configs, Self.away)
        #expect(shown.last == "warning: a call of Zimmer failed call")
    }

    @Test func `what a reading asks is said of the reading alone`() {
        for _ in 1...3 { note(.board, Self.broken) }
        #expect(shown.isEmpty)
        #expect(lines.lines.count == 3)
    }

    @Test func `a session that is gone is no failure`() {
        note(.session, ZimmerError(.notFound, status: 404, label: "Not Found", message: "not found"))
        #expect(shown.isEmpty)
    }

    @Test func `words of Zimmer are cut`() {
        let long = String(repeating: "é", count: 500)
        read("board", ZimmerError(.refused, status: 422, label: "x", message: long))
        #expect(lines.lines[0].contains("…"))
        #expect(lines.lines[0].count < 500)
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

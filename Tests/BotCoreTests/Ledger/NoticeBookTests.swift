import CEL
import Testing

@testable import BotCore

@Suite struct NoticeBookTests {
    private let start = Timestamp(seconds: 1_000_000)
    private let stale = NoticeBook.Cause(
        id: "cannot_tell:merge", text: "Rule merge cannot tell: health is stale",
        subjects: ["session 1", "session 2", "session 3", "session 4", "session 5"])

    @Test func `a cause is said once, with the number of its subjects and three of them`() {
        var book = NoticeBook()
        let first = book.update([stale], now: start)
        #expect(
            first.map(\.text) == [
                "Rule merge cannot tell: health is stale (5: session 1, session 2, session 3, and 2 more)"
            ])
        #expect(book.update([stale], now: start + .seconds(3_600)).isEmpty)
    }

    @Test func `a cause that lasts is said again after a day`() {
        var book = NoticeBook()
        _ = book.update([stale], now: start)
        #expect(book.update([stale], now: start + .seconds(86_399)).isEmpty)
        #expect(book.update([stale], now: start + .seconds(86_400)).count == 1)
    }

    @Test func `it is said once that a cause is over`() {
        var book = NoticeBook()
        _ = book.update([stale], now: start)
        let over = book.update([], now: start + .seconds(60))
        #expect(over.map(\.text) == ["Over: Rule merge cannot tell: health is stale"])
        #expect(over.map(\.isOver) == [true])
        #expect(book.update([], now: start + .seconds(120)).isEmpty)
    }

    @Test func `what comes and goes all day is said once`() {
        var book = NoticeBook()
        var said: [String] = []
        for hour in 0..<20 {
            let now = start + .seconds(3_600 * hour)
            said += book.update(hour.isMultiple(of: 2) ? [stale] : [], now: now).map(\.text)
        }
        #expect(said.map { $0.prefix(5) } == ["Rule ", "Over:"])
        #expect(book.update([stale], now: start + .seconds(86_400)).count == 1)
    }

    @Test func `what keeps the bot from everything is said each time`() {
        var book = NoticeBook()
        let away = NoticeBook.Cause(id: "zimmer:unreachable", text: "Zimmer cannot be reached")
        for hour in 0..<3 {
            let now = start + .seconds(3_600 * hour)
            #expect(book.update([away], now: now).count == 1)
            let over = book.update([], endings: ["zimmer": "It is back"], now: now + .seconds(60))
            #expect(over.map(\.text) == ["It is back"])
        }
    }

    @Test func `an event is never over, and the same one is not said twice a day`() {
        var book = NoticeBook()
        let refused = NoticeBook.Cause(id: "refused:merge", text: "Rule merge was refused", isEvent: true)
        #expect(book.update([refused], now: start).count == 1)
        #expect(book.update([], now: start + .seconds(60)).isEmpty)
        #expect(book.update([refused], now: start + .seconds(120)).isEmpty)
        #expect(book.update([refused], now: start + .seconds(90_000)).count == 1)
    }
}

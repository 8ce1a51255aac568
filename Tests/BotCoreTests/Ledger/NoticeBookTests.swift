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

    @Test func `an event is never over, and the same one is not said twice a day`() {
        var book = NoticeBook()
        let refused = NoticeBook.Cause(id: "refused:merge", text: "Rule merge was refused", isEvent: true)
        #expect(book.update([refused], now: start).count == 1)
        #expect(book.update([], now: start + .seconds(60)).isEmpty)
        #expect(book.update([refused], now: start + .seconds(120)).isEmpty)
        #expect(book.update([refused], now: start + .seconds(90_000)).count == 1)
    }
}

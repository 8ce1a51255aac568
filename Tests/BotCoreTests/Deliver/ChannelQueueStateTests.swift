import AdapterKit
import BotCore
import CEL
import Rules
import Testing

@Suite struct ChannelQueueStateTests {
    private let start = Timestamp(seconds: 1_791_547_320)

    /// Tries the first message once, `offset` after the start.
    private func attempt(
        _ queue: inout ChannelQueueState, _ outcome: DeliveryOutcome, at offset: Duration = .zero, jitter: Double = 1
    ) throws -> ChannelQueueState.Record {
        guard case .deliver(let delivery) = queue.next(now: start + offset) else {
            throw NotDue(action: queue.next(now: start + offset))
        }
        return queue.finished(delivery, outcome, now: start + offset, jitter: jitter)
    }

    private struct NotDue: Error { var action: ChannelQueueState.Action }

    @Test func `messages go in order, one after the other`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start), .test("dlv_2", at: start)))
        #expect(queue.status.waiting == 2)
        #expect(try attempt(&queue, .delivered(Receipt(id: "a"))) == .delivered(Receipt(id: "a")))
        guard case .deliver(let second) = queue.next(now: start) else { throw NotDue(action: queue.next(now: start)) }
        #expect(second.id == DeliveryID("dlv_2"))
        #expect(second.attempts == 0)
        _ = queue.finished(second, .delivered(Receipt()), now: start, jitter: 1)
        #expect(queue.next(now: start) == .wait(nil))
        #expect(queue.status.waiting == 0)
        #expect(queue.status.lastDeliveredAt == start)
    }

    @Test func `failures in a row wait 1 s, doubled up to 5 min`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", urgency: .high, at: start)))
        var now = Duration.zero
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            _ = try attempt(&queue, .wait(reason: "busy", retryAfter: nil), at: now)
            #expect(queue.next(now: start + now) == .wait(.seconds(wait)))
            #expect(queue.next(now: start + now + .milliseconds(wait * 1000 - 1)) == .wait(.milliseconds(1)))
            now += .seconds(wait)
        }
    }

    @Test(arguments: [
        (0.0, Duration.zero), (0.25, .milliseconds(250)), (1.0, .seconds(1)), (7.0, .seconds(1)), (-1, .zero),
    ])
    func `the back-off is jittered in full`(jitter: Double, wait: Duration) throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        let record = try attempt(&queue, .wait(reason: "busy", retryAfter: nil), jitter: jitter)
        #expect(record == .retry(attempt: 1, notBefore: nil, reason: "busy", isDoubtful: false))
        #expect(queue.status.pausedUntil == start + wait)
    }

    @Test(arguments: [
        (Duration.seconds(7), Duration.seconds(7)), (.seconds(86_400), .seconds(900)),
        (.seconds(-5), .milliseconds(500)),
        (.zero, .milliseconds(500)), (.milliseconds(999), .milliseconds(500)), (.seconds(1), .seconds(1)),
    ])
    func `what the other side asks for comes first, within reason`(hint: Duration, wait: Duration) throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        let record = try attempt(&queue, .wait(reason: "slow down", retryAfter: hint), jitter: 0.5)
        #expect(record == .retry(attempt: 1, notBefore: start + wait, reason: "slow down", isDoubtful: false))
    }

    @Test func `a wait holds up the whole channel, also for what is put in later`() throws {
        var queue = ChannelQueueState(channel: "ops")
        let first = OutboxEntry.test("dlv_1", at: start)
        queue.load(.of(first))
        _ = try attempt(&queue, .wait(reason: "slow down", retryAfter: .seconds(30)))
        queue.load(.of(.test("dlv_2", urgency: .high, at: start), first))
        #expect(queue.next(now: start + .seconds(29)) == .wait(.seconds(1)))
        #expect(queue.status.pausedUntil == start + .seconds(30))
        guard case .deliver(let next) = queue.next(now: start + .seconds(30)) else {
            throw NotDue(action: queue.next(now: start))
        }
        #expect(next.id == DeliveryID("dlv_2"))
    }

    @Test func `a success ends the back-off`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start), .test("dlv_2", at: start)))
        _ = try attempt(&queue, .wait(reason: "busy", retryAfter: nil))
        _ = try attempt(&queue, .wait(reason: "busy", retryAfter: nil), at: .seconds(1))
        #expect(queue.status.state == .down)
        #expect(queue.status.since == start)
        #expect(queue.status.error == "busy")
        _ = try attempt(&queue, .delivered(Receipt()), at: .seconds(3))
        #expect(queue.status.state == .up)
        #expect(queue.status.error == nil)
        #expect(queue.status.pausedUntil == nil)
        _ = try attempt(&queue, .wait(reason: "busy", retryAfter: nil), at: .seconds(3))
        #expect(queue.status.pausedUntil == start + .seconds(4))
    }

    @Test func `a doubtful refusal is tried a few times, then given up`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start), .test("dlv_2", at: start)))
        for (number, now) in [0, 1, 3].enumerated() {
            let record = try attempt(&queue, .maybe(reason: "500"), at: .seconds(now))
            #expect(record == .retry(attempt: number + 1, notBefore: nil, reason: "500", isDoubtful: true))
            #expect(queue.status.pausedUntil == start + .seconds([1, 3, 7][number]))
        }
        #expect(try attempt(&queue, .maybe(reason: "500"), at: .seconds(7)) == .dead(reason: "500 (tried 4 times)"))
        #expect(queue.status.deadLetters == 1)
        #expect(try attempt(&queue, .delivered(Receipt()), at: .seconds(7)) == .delivered(Receipt()))
    }

    @Test func `many waits do not use up the tries of a doubtful refusal`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        var now = Duration.zero
        for _ in 0..<6 {
            _ = try attempt(&queue, .wait(reason: "busy", retryAfter: .seconds(1)), at: now)
            now += .seconds(1)
        }
        guard case .retry = try attempt(&queue, .maybe(reason: "500"), at: now) else {
            Issue.record("given up at the first doubt")
            return
        }
    }

    @Test func `a refused message makes way for the next`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start), .test("dlv_2", at: start)))
        #expect(try attempt(&queue, .never(reason: "too long")) == .dead(reason: "too long"))
        #expect(queue.status.state == .up)
        #expect(try attempt(&queue, .delivered(Receipt())) == .delivered(Receipt()))
    }

    @Test(arguments: [DeliveryOutcome.Scope.channel, .account])
    func `a refused channel is left alone for a while, and its messages wait`(scope: DeliveryOutcome.Scope) throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start), .test("dlv_2", at: start)))
        #expect(
            try attempt(&queue, .never(reason: "401", affects: scope))
                == .retry(attempt: 1, notBefore: nil, reason: "401", isDoubtful: false))
        #expect(queue.status.state == .down)
        #expect(queue.status.since == start)
        #expect(queue.next(now: start) == .wait(.seconds(300)))
        _ = try attempt(&queue, .delivered(Receipt()), at: .seconds(300))
        #expect(queue.status.state == .up)
    }

    @Test func `what is older than the deadline becomes a line, unless it is urgent`() throws {
        var queue = ChannelQueueState(channel: "ops")
        let urgent = OutboxEntry.test("dlv_3", urgency: .high, at: start)
        queue.load(.of(urgent, .test("dlv_1", at: start), .test("dlv_2", at: start + .seconds(1))))
        #expect(
            queue.next(now: start + .seconds(3601))
                == .foldOverdue(before: start + .seconds(1), notices: start - .seconds(82_799)))
        queue.load(.of(urgent))
        _ = try attempt(&queue, .delivered(Receipt()), at: .seconds(3601))
    }

    @Test func `what the bot says about itself has a day`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", kind: .notice, at: start)))
        guard case .deliver = queue.next(now: start + .seconds(86_400)) else {
            throw NotDue(action: queue.next(now: start + .seconds(86_400)))
        }
        guard case .foldOverdue = queue.next(now: start + .seconds(86_401)) else {
            Issue.record("it is still to be sent")
            return
        }
    }

    @Test func `a channel has the deadline that the file gives it`() throws {
        var rules = DeliveryRules(channels: ["ops"])
        rules.channels["ops"]?.deadline = .seconds(60)
        var queue = ChannelQueueState(channel: "ops", rules: rules)
        queue.load(.of(.test("dlv_1", at: start)))
        #expect(
            queue.next(now: start + .seconds(61))
                == .foldOverdue(before: start + .seconds(1), notices: start - .seconds(86_339)))
    }

    @Test func `a pause that the other side asks for is no failure`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        _ = try attempt(&queue, .wait(reason: "slow down", retryAfter: .seconds(30), affects: .account))
        #expect(queue.status.state == .paused)
        #expect(queue.status.since == start)
        queue.load(OutboxPage(entries: [], total: 0))
        #expect(queue.next(now: start + .seconds(10)) == .wait(.seconds(20)))
        #expect(queue.next(now: start + .seconds(30)) == .wait(nil))
        #expect(queue.status.state == .up)
    }

    @Test func `a new connection ends a back-off, not a pause that was asked for`() throws {
        var queue = ChannelQueueState(channel: "ops")
        let entry = OutboxEntry.test("dlv_1", at: start, attempts: 8)
        queue.load(.of(entry))
        queue.note(.down(reason: "no connection"), now: start)
        #expect(queue.status.state == .down)
        #expect(queue.status.error == "no connection")
        _ = try attempt(&queue, .wait(reason: "no connection", retryAfter: nil))
        #expect(queue.next(now: start) == .wait(.seconds(256)))
        queue.note(.up, now: start + .seconds(5))
        #expect(queue.status.state == .up)
        queue.load(.of(entry))
        _ = try attempt(&queue, .wait(reason: "busy", retryAfter: .seconds(60)), at: .seconds(5))
        queue.note(.down(reason: "no connection"), now: start + .seconds(6))
        queue.note(.up, now: start + .seconds(7))
        #expect(queue.next(now: start + .seconds(7)) == .wait(.seconds(58)))
        #expect(queue.status.state == .paused)
    }

    @Test func `the wait of an adapter without a connection is over when there is one, and with new rules`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        queue.note(.down(reason: "the password is wrong"), now: start)
        let record = try attempt(&queue, .wait(reason: "the password is wrong", retryAfter: .seconds(60)))
        let expected = ChannelQueueState.Record.retry(
            attempt: 1, notBefore: nil, reason: "the password is wrong", isDoubtful: false)
        #expect(record == expected)
        #expect(queue.next(now: start) == .wait(.seconds(60)))
        queue.note(.up, now: start + .seconds(5))
        guard case .deliver = queue.next(now: start + .seconds(5)) else {
            throw NotDue(action: queue.next(now: start + .seconds(5)))
        }
    }

    @Test func `while the adapter says that it has no connection, the channel is down`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        queue.note(.down(reason: "no connection"), now: start)
        _ = try attempt(&queue, .wait(reason: "slow down", retryAfter: .seconds(2)))
        #expect(queue.status.state == .down)
        #expect(queue.next(now: start + .seconds(1)) == .wait(.seconds(1)))
    }

    @Test func `an account that waits holds up the channel`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        #expect(queue.next(now: start, accountDelay: .seconds(3)) == .wait(.seconds(3)))
    }

    @Test func `what was held is let go first of all, and what is quiet waits`() throws {
        var rules = DeliveryRules(channels: ["ops"])
        // The start is a Friday, 12:02 UTC.
        rules.channels["ops"]?.quiet = QuietHours(["fri 11:00-13:00"], timeZone: "UTC")
        var queue = ChannelQueueState(channel: "ops", rules: rules)
        var entry = OutboxEntry.test("dlv_1", at: start)
        entry.message.channel = "ops"
        queue.load(.of(entry))
        let end = Timestamp(seconds: 1_791_550_800)
        #expect(queue.next(now: start) == .hold(DeliveryID("dlv_1"), until: end))
        entry.hold = .quiet
        queue.load(.of(entry))
        #expect(queue.next(now: end) == .release(.quiet))
        queue.load(OutboxPage(entries: [], total: 1, nextRelease: end))
        #expect(queue.next(now: start) == .wait(end - start))
        entry.hold = nil
        entry.message.urgency = .high
        queue.load(.of(entry))
        #expect(queue.next(now: start) == .deliver(entry))
    }

    @Test func `after a restart the wait and the back-off go on`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", urgency: .high, at: start, attempts: 4, notBefore: start + .seconds(5))))
        #expect(queue.next(now: start) == .wait(.seconds(5)))
        let record = try attempt(&queue, .wait(reason: "busy", retryAfter: nil), at: .seconds(5))
        #expect(record == .retry(attempt: 5, notBefore: nil, reason: "busy", isDoubtful: false))
        #expect(queue.status.pausedUntil == start + .seconds(21))
    }

    @Test(arguments: [
        DeliveryOutcome.never(reason: "401", affects: .account), .never(reason: "404", affects: .channel),
        .wait(reason: "busy", retryAfter: nil), .lost(reason: "closed"), .maybe(reason: "500"),
    ])
    func `what has failed is tried at once after a restart or with new rules, as somebody may have mended it`(
        outcome: DeliveryOutcome
    ) throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        guard case .retry(let attempts, let notBefore, _, _) = try attempt(&queue, outcome) else {
            Issue.record("given up")
            return
        }
        var next = ChannelQueueState(channel: "ops")
        let entry = OutboxEntry.test("dlv_1", at: start, attempts: attempts, notBefore: notBefore)
        next.load(.of(entry))
        #expect(next.next(now: start) == .deliver(entry))
    }

    @Test func `a line about messages that were too old keeps its id, however old it becomes itself`() {
        var queue = ChannelQueueState(channel: "ops")
        var line = OutboxEntry.test("dlv_1", at: start, attempts: 9)
        line.folded = Digest(channel: "ops", timeZone: "UTC", now: start).line([.test("dlv_0", at: start)]).range
        queue.load(.of(line))
        let later = start + .seconds(7_200)
        #expect(queue.next(now: later) == .deliver(line))
        queue.load(.of(line, .test("dlv_2", at: start)))
        #expect(
            queue.next(now: later) == .foldOverdue(before: later - .seconds(3_600), notices: later - .seconds(86_400)))
    }

    @Test func `a clock put back by hours does not make a message wait for hours`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", at: start)))
        _ = try attempt(&queue, .wait(reason: "busy", retryAfter: nil))
        _ = try attempt(&queue, .delivered(Receipt()), at: .seconds(-7200))
    }

    @Test func `no number of failures overflows`() throws {
        var queue = ChannelQueueState(channel: "ops")
        queue.load(.of(.test("dlv_1", urgency: .high, at: start, attempts: .max - 1)))
        let record = try attempt(&queue, .wait(reason: "busy", retryAfter: nil))
        #expect(record == .retry(attempt: .max, notBefore: nil, reason: "busy", isDoubtful: false))
    }
}

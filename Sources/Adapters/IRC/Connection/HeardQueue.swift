import AdapterKit
import Synchronization

/// Passes on what people say, one after the other, without holding up the connection.
final class HeardQueue: Sendable {
    private typealias Item = (listener: any ChatListener, event: ChatEvent)

    /// A listener that falls further behind misses what is oldest.
    private static let longest = 200
    private static let mostTries = 5

    private let clock: any AdapterClock
    private let log: any AdapterLog
    private let items = Mutex<[Item]>([])
    private let count = Mutex(0)
    private let bell = Bell()

    init(clock: any AdapterClock, log: any AdapterLog) {
        self.clock = clock
        self.log = log
    }

    func event(_ message: HeardMessage, channel: String, now: WallTime) -> ChatEvent {
        let number = count.withLock { count in
            count += 1
            return count
        }
        // Without the server's id: IRC has no history from which the same line could come again.
        let id = message.id ?? "\(now.seconds).\(now.nanoseconds)-\(number)"
        return ChatEvent(
            id: id, channel: channel, sender: message.account, senderName: message.nick, time: message.time ?? now,
            content: .text(message.text))
    }

    func add(_ event: ChatEvent, for listener: any ChatListener) {
        let isFull = items.withLock { items in
            items.append((listener, event))
            guard items.count > Self.longest else { return false }
            items.removeFirst()
            return true
        }
        if isFull { log.write(.warning, "something said in a channel was left out", [("channel", event.channel)]) }
        bell.ring()
    }

    func run() async {
        while !Task.isCancelled {
            guard let (listener, event) = items.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                await bell.wait()
                continue
            }
            await pass(event, to: listener)
        }
    }

    private func pass(_ event: ChatEvent, to listener: any ChatListener) async {
        for attempt in 0..<Self.mostTries {
            do {
                return try await listener.receive(event)
            } catch {
                do { try await clock.sleep(for: .seconds(1 << attempt)) } catch { return }
            }
        }
        log.write(.error, "something said in a channel could not be kept", [("channel", event.channel)])
    }
}

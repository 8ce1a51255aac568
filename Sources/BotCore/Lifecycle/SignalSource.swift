import Dispatch
import Glibc
import Synchronization

/// The signals that ask the process to stop or to read its file again, as a stream.
///
/// From creation on they no longer end the process, and neither does SIGPIPE: a peer that hangs up is an error of the write.
/// That the process does end is watched over here, on a thread that nothing else can be stuck on: a second stop signal ends it
/// at once, and so does the end of the patience that begins with the first.
package final class SignalSource: Sendable {
    package enum Signal: Hashable, Sendable, CaseIterable {
        case terminate, interrupt, hangUp

        package var number: Int32 {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            }
        }

        var asksToStop: Bool { self != .hangUp }
    }

    /// For one consumer. Of the signals that it has not read yet the newest few are kept.
    package let signals: AsyncStream<Signal>
    private let continuation: AsyncStream<Signal>.Continuation
    /// A source that nobody refers to drops its signals.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Returns when all three are watched: Dispatch registers a source some time after it was asked to.
    ///
    /// - Parameters:
    ///   - patience: from the first stop signal; a little longer than a drain may take.
    ///   - echo: how soon after the first a stop signal still is the same wish: `timeout` tells the program and then its
    ///     whole group.
    ///   - exit: ends the process with the given status: 0 out of patience, 128 and the number for a second stop signal.
    package init(
        patience: Duration = .seconds(12), echo: Duration = .milliseconds(50),
        exit: @escaping @Sendable (Int32) -> Void = { _exit($0) }
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(8))
        signals = stream
        self.continuation = continuation
        let queue = DispatchQueue(label: "zimmer-bot.signals")
        let stop = FirstStop()
        let registered = DispatchGroup()
        sources = Signal.allCases.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
            source.setEventHandler {
                continuation.yield(signal)
                guard signal.asksToStop else { return }
                guard let since = stop.passed() else {
                    queue.asyncAfter(deadline: .now() + .milliseconds(patience.milliseconds)) { exit(0) }
                    return
                }
                if since > echo { exit(128 + signal.number) }
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return source
        }
        registered.wait()
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        for source in sources { source.cancel() }
        continuation.finish()
    }
}

/// When the process was first asked to stop.
private final class FirstStop: Sendable {
    private let instant = Mutex<ContinuousClock.Instant?>(nil)

    /// The time since then; nil the first time.
    func passed() -> Duration? {
        instant.withLock { instant in
            let now = ContinuousClock.now
            defer { instant = instant ?? now }
            return instant.map { now - $0 }
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(min(self / .milliseconds(1), 86_400_000)) }
}

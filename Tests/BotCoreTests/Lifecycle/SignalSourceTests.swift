import BotCore
import Glibc
import Testing

// One source at a time: signals are the process's.
@Suite(.serialized) struct SignalSourceTests {
    private let exits: AsyncStream<Int32>
    private let exit: @Sendable (Int32) -> Void

    init() {
        let (exits, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.exits = exits
        exit = { continuation.yield($0) }
    }

    @Test(arguments: SignalSource.Signal.allCases)
    func `a signal arrives as a value instead of ending the process`(signal: SignalSource.Signal) async {
        let source = SignalSource(exit: exit)
        kill(getpid(), signal.number)
        #expect(await source.signals.first { _ in true } == signal)
    }

    @Test func `a second stop signal ends the process at once`() async {
        let source = SignalSource(patience: .seconds(3600), echo: .zero, exit: exit)
        var signals = source.signals.makeAsyncIterator()
        for signal in [SIGHUP, SIGTERM, SIGHUP, SIGINT] {
            kill(getpid(), signal)
            _ = await signals.next()
        }
        #expect(await exits.first { _ in true } == 128 + SIGINT)
    }

    @Test func `a stop signal that is sent twice at once is one wish`() async {
        let source = SignalSource(patience: .milliseconds(300), echo: .seconds(3600), exit: exit)
        var signals = source.signals.makeAsyncIterator()
        for signal in [SIGTERM, SIGTERM, SIGINT] {
            kill(getpid(), signal)
            _ = await signals.next()
        }
        #expect(await exits.first { _ in true } == 0)
    }

    @Test func `when patience is over the process ends, whatever it is stuck in`() async {
        let source = SignalSource(patience: .milliseconds(1), exit: exit)
        kill(getpid(), SIGTERM)
        #expect(await exits.first { _ in true } == 0)
        withExtendedLifetime(source) {}
    }

    @Test func `a peer that hangs up does not end the process`() {
        let source = SignalSource(exit: exit)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        #expect(write(ends[1], "x", 1) == -1)
        #expect(errno == EPIPE)
        close(ends[1])
        withExtendedLifetime(source) {}
    }
}

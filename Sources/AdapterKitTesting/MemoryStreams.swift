public import AdapterKit
import Synchronization

/// Connections that stay in the test, which plays the other side.
public final class MemoryStreams: ByteStreamTransport {
    private let accepted: AsyncStream<MemoryPeer>
    private let connected: AsyncStream<MemoryPeer>.Continuation
    private let failures: Mutex<[ByteStreamFailure]>

    /// - Parameter failures: What the first attempts to connect come to.
    public init(failing failures: [ByteStreamFailure] = []) {
        (accepted, connected) = AsyncStream.makeStream()
        self.failures = Mutex(failures)
    }

    public func connect(to endpoint: ByteStreamEndpoint) async throws -> any ByteStream {
        if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
        let peer = MemoryPeer(endpoint: endpoint)
        connected.yield(peer)
        return peer.stream
    }

    /// The other side of the next connection.
    public func accept() async throws -> MemoryPeer {
        for await peer in accepted { return peer }
        throw CancellationError()
    }
}

/// The other side of a connection.
public final class MemoryPeer: Sendable {
    public let endpoint: ByteStreamEndpoint
    fileprivate let stream: MemoryStream
    private let incoming: AsyncStream<[UInt8]>

    fileprivate init(endpoint: ByteStreamEndpoint) {
        self.endpoint = endpoint
        let (outgoing, send) = AsyncStream.makeStream(of: [UInt8].self)
        let (incoming, receive) = AsyncStream.makeStream(of: [UInt8].self)
        self.incoming = incoming
        stream = MemoryStream(incoming: outgoing, send: send, outgoing: receive)
    }

    public func send(_ bytes: some Sequence<UInt8>) {
        stream.arrive(Array(bytes))
    }

    /// What was written next; nil once the connection is closed, or the task cancelled.
    public func read() async -> [UInt8]? {
        for await bytes in incoming { return bytes }
        return nil
    }

    /// Ends the connection from this side.
    public func close() {
        stream.end()
    }
}

private final class MemoryStream: ByteStream {
    private let incoming: AsyncStream<[UInt8]>
    private let arriving: AsyncStream<[UInt8]>.Continuation
    private let outgoing: AsyncStream<[UInt8]>.Continuation
    private let rest = Mutex<[UInt8]>([])

    init(
        incoming: AsyncStream<[UInt8]>, send: AsyncStream<[UInt8]>.Continuation,
        outgoing: AsyncStream<[UInt8]>.Continuation
    ) {
        self.incoming = incoming
        arriving = send
        self.outgoing = outgoing
    }

    func arrive(_ bytes: [UInt8]) {
        arriving.yield(bytes)
    }

    func end() {
        arriving.finish()
    }

    func read(atMost count: Int) async throws -> [UInt8] {
        if rest.withLock({ $0.isEmpty }) {
            for await bytes in incoming {
                rest.withLock { $0 = bytes }
                break
            }
            try Task.checkCancellation()
        }
        return rest.withLock { rest in
            let bytes = Array(rest.prefix(count))
            rest.removeFirst(bytes.count)
            return bytes
        }
    }

    func write(_ bytes: [UInt8], timeout: Duration) async throws {
        try Task.checkCancellation()
        guard case .enqueued = outgoing.yield(bytes) else {
            throw ByteStreamFailure(.closed, "the connection is closed")
        }
    }

    func close() async {
        outgoing.finish()
        arriving.finish()
    }
}

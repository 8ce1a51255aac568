public import AdapterKit

/// Never answers; ends when its task is cancelled.
public struct SilentTransport: HTTPTransport, ByteStreamTransport, MailTransport {
    private let asked: AsyncStream<Void>
    private let askedContinuation: AsyncStream<Void>.Continuation

    public init() {
        (asked, askedContinuation) = AsyncStream.makeStream()
    }

    /// Returns once a request waits for its answer.
    public func waitForRequest() async {
        for await _ in asked { return }
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        throw await saySoAndWait()
    }

    public func connect(to endpoint: ByteStreamEndpoint) async throws -> any ByteStream {
        throw await saySoAndWait()
    }

    public func send(_ mail: Mail) async throws {
        throw await saySoAndWait()
    }

    private func saySoAndWait() async -> CancellationError {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        askedContinuation.yield()
        for await _ in never {}
        continuation.finish()
        return CancellationError()
    }
}

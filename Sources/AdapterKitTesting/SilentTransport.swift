public import AdapterKit

/// Never answers; ends when its task is cancelled.
public struct SilentTransport: HTTPTransport {
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
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        askedContinuation.yield()
        for await _ in never {}
        continuation.finish()
        throw CancellationError()
    }
}

public import AdapterKit
import Synchronization

/// Answers requests as a test says, and keeps them.
public final class RecordingTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let recorded = Mutex<[HTTPRequest]>([])

    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.answer = answer
    }

    public convenience init(_ response: HTTPResponse) {
        self.init { _ in response }
    }

    /// Whoever asked it, oldest first.
    public var requests: [HTTPRequest] {
        recorded.withLock { $0 }
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        recorded.withLock { $0.append(request) }
        return try await answer(request)
    }
}

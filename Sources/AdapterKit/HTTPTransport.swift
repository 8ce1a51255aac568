/// Makes HTTP requests for adapters, so that they share one client, its certificates and its limits.
public protocol HTTPTransport: Sendable {
    /// Makes one request, once: on a connection of its own unless it is repeatable, since a client that repeats a request on
    /// a fresh connection by itself would send a message twice. Redirects are not followed, cookies not kept.
    ///
    /// - Throws: `HTTPFailure` where there is no answer; `CancellationError` when cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// A request. Its address and its headers may be credentials, so they do not print.
public struct HTTPRequest: Hashable, Sendable {
    public var method: String
    /// `https://…` or `http://…`.
    public var url: Secret
    public var headers: [HTTPHeader]
    public var body: [UInt8]
    /// For the whole exchange.
    public var timeout: Duration
    /// Made twice, it does what it does once: it may go over a connection that is open already.
    public var isRepeatable: Bool
    /// Of a longer body of an answer only so much is given.
    public var maximumAnswerSize: Int

    public init(
        method: String, url: Secret, headers: [HTTPHeader] = [], body: [UInt8] = [], timeout: Duration,
        isRepeatable: Bool = false, maximumAnswerSize: Int = 64 * 1024
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.isRepeatable = isRepeatable
        self.maximumAnswerSize = maximumAnswerSize
    }
}

/// A header of a request.
public struct HTTPHeader: Hashable, Sendable {
    public var name: String
    public var value: Secret

    public init(_ name: String, _ value: Secret) {
        self.name = name
        self.value = value
    }

    public init(_ name: String, _ value: String) {
        self.init(name, Secret(value))
    }
}

/// An answer. Everything in it was written by the other side.
public struct HTTPResponse: Hashable, Sendable {
    public var status: Int
    /// By name in lower case; of several with one name, the first.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { first, _ in first })
        self.body = body
    }
}

/// Why a request has no answer.
public struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// No connection: name not found, refused, no route.
        case unreachable
        /// Too slow. The request may have arrived.
        case timedOut
        /// The connection ended before the answer did. The request may have arrived.
        case interrupted
        /// The other side's certificate is not trusted.
        case untrusted
        /// The request could not be made as it is: a malformed address.
        case invalidRequest
    }

    public var code: Code
    /// What happened, in words; no URL in it.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}

/// Sends one request and returns its answer. The seam between the bot and the network.
package protocol HTTPTransport: Sendable {
    /// Sends the request; any answer of the server, whatever its status, is a success. Redirects are not followed.
    ///
    /// A cancelled task ends the request at once with the error `cancelled`.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

/// A request that has not been sent.
package struct HTTPRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// Absolute, `http` or `https`. May be a secret, so it is never printed.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// For the whole exchange, name lookup and connecting included.
    package var timeout: Duration
    /// Doing it twice is the same as doing it once. Everything else gets a connection of its own: libcurl silently sends
    /// a request again, POST included, when a reused connection turns out to be closed. Nor does it ever wait for others
    /// to be done with their large answers (`LargeBody`).
    package var isRepeatable: Bool
    /// More bytes of answer than this end the request with the error `tooLarge`.
    package var maximumBody: Int
    /// Such an answer is instead given as far as it goes: its status says all that matters.
    package var cutsBody: Bool

    package init(
        _ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), isRepeatable: Bool, maximumBody: Int = 1 << 20, cutsBody: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.isRepeatable = isRepeatable
        self.maximumBody = maximumBody
        self.cutsBody = cutsBody
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(method.rawValue) request" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What the server answered.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// Of the final response, in order. A value that is not UTF-8 has replacement characters.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// How long the body took after the headers.
    package var bodyTime: Duration
    /// Of a large body. To be kept as long as the body, or what was made of it and is no smaller.
    package var room: LargeBody?

    package init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], bodyTime: Duration = .zero,
        room: LargeBody? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.bodyTime = bodyTime
        self.room = room
    }

    /// The first header of that name, whatever its case.
    package func header(_ name: String) -> String? {
        headers.first { ASCII.equalIgnoringCase($0.name, name) }?.value
    }
}

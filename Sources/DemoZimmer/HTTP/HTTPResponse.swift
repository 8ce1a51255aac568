/// An answer, and how much of it gets through.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    /// The connection closes after this many bytes of the body, short of the announced length. Nil sends it whole.
    package var cutAfter: Int?

    package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package static func json(_ value: JSON, status: Int = 200) -> Self {
        Self(
            status: status, headers: [HTTPHeader("content-type", "application/json; charset=utf-8")],
            body: value.bytes)
    }

    package static func html(_ text: String, status: Int) -> Self {
        Self(status: status, headers: [HTTPHeader("content-type", "text/html")], body: Array(text.utf8))
    }

    package func header(_ name: String) -> String? { headers.value(name) }
}

/// What a handler decides about a request.
package enum HTTPReply: Sendable {
    case send(HTTPResponse)
    /// The connection closes without an answer.
    case close
    /// The answer waits until the server is told to release it, or for the given time. The client sees silence.
    case hold(HTTPResponse, for: Duration?)
}

import Synchronization

/// A receiver of webhooks over real HTTP: it keeps what arrives and answers what it was told to.
package final class RecordingWebhook: Sendable {
    /// `http://127.0.0.1:PORT/hook`.
    package let url: String
    package let port: UInt16
    /// Every message in order, those that were answered with a failure too.
    package let messages: EventLog<Message>

    package struct Message: Sendable {
        package var request: HTTPRequest
        /// What was answered; nil when the connection closed instead.
        package var status: Int?

        package var headers: [HTTPHeader] { request.headers }
        package var json: JSON? { request.json }
        package var text: String { String(decoding: request.body, as: UTF8.self) }
        package func header(_ name: String) -> String? { request.header(name) }
    }

    private let script: Script
    private let server: HTTPServer

    /// Starts listening. Port 0 takes a free one.
    package init(port: UInt16 = 0) throws(HTTPServerError) {
        let messages = EventLog<Message>()
        let script = Script()
        self.server = try HTTPServer(port: port) { request in
            let reply = script.next()
            return (reply, { messages.append(Message(request: request, status: reply.status)) })
        }
        self.messages = messages
        self.script = script
        self.port = server.port
        self.url = "http://127.0.0.1:\(server.port)/hook"
    }

    /// Decides the answers to the messages that come next, in order; after them every one is answered with 200.
    package func answer(with replies: HTTPReply...) {
        script.append(replies)
    }

    /// The same, for answers that are only a status.
    package func answer(statuses: Int...) {
        script.append(statuses.map { .send(HTTPResponse(status: $0)) })
    }

    /// The `number`th message since the start, as soon as it is there.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the receiver stops.
    @discardableResult
    package func message(_ number: Int) async throws -> Message {
        try await messages.element(number) { _ in true }
    }

    /// The `number`th message that got a 2xx.
    @discardableResult
    package func accepted(_ number: Int) async throws -> Message {
        try await messages.element(number) { (200..<300).contains($0.status ?? 0) }
    }

    /// Sends every answer that a `hold` keeps back.
    package func releaseHeld() {
        server.releaseHeld()
    }

    package func stop() {
        server.stop()
        messages.finish()
    }
}

/// The answers still to give.
private final class Script: Sendable {
    private let replies = Mutex<[HTTPReply]>([])

    func append(_ more: [HTTPReply]) {
        replies.withLock { $0 += more }
    }

    func next() -> HTTPReply {
        replies.withLock { $0.isEmpty ? .send(HTTPResponse(status: 200)) : $0.removeFirst() }
    }
}

extension HTTPReply {
    /// The status that will be sent, or nil for none.
    var status: Int? {
        switch self {
        case .send(let response), .hold(let response, for: _): response.status
        case .close: nil
        }
    }
}

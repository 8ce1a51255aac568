package import BotCore

/// Gives up on an answer early, as no simulated time passes while one is waited for.
package struct HastyTransport: HTTPTransport {
    private let transport = CurlTransport()

    package init() {}

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        request.timeout = .milliseconds(400)
        return try await transport.send(request)
    }
}

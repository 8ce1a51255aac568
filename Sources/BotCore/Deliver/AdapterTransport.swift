import AdapterKit

/// Gives adapters the bot's HTTP client.
struct AdapterTransport: AdapterKit.HTTPTransport {
    private let transport: any HTTPTransport

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(_ request: AdapterKit.HTTPRequest) async throws -> AdapterKit.HTTPResponse {
        guard let method = HTTPRequest.Method(rawValue: request.method) else {
            throw HTTPFailure(.invalidRequest, "the method '\(request.method)' is not supported")
        }
        let headers = request.headers.map { (name: $0.name, value: $0.value.reveal()) }
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(
                HTTPRequest(
                    method, request.url.reveal(), headers: headers, body: request.body, timeout: request.timeout,
                    isRepeatable: request.isRepeatable, maximumBody: request.maximumAnswerSize, cutsBody: true))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw HTTPFailure(HTTPFailure.Code(error), error.description)
        }
        let names = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        return AdapterKit.HTTPResponse(status: response.status, headers: names, body: response.body)
    }
}

extension HTTPFailure.Code {
    fileprivate init(_ error: HTTPError) {
        switch error.code {
        case .invalidRequest: self = .invalidRequest
        case .resolve, .connect, .closed: self = .unreachable
        case .tls: self = .untrusted
        case .timeout: self = .timedOut
        case .cut, .garbled, .cancelled, .tooLarge: self = .interrupted
        }
    }
}

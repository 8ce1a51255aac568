import BotCore
import Synchronization

/// HTTP whose answers can be fetched beforehand, so that a poll is measured from the bytes being here.
final class StagedTransport: HTTPTransport {
    private let network = CurlTransport()
    private let staged = Mutex<[String: HTTPResponse]>([:])

    /// Fetches what the next `send` for this URL answers, over the network.
    ///
    /// The entity tag is left out: not every server has one, and without it an unchanged page has to be found out.
    func stage(_ url: String, key: String) async throws {
        let request = HTTPRequest(
            .get, url, headers: [(name: "X-API-Key", value: key)], isRepeatable: true, maximumBody: 64 << 20)
        var response = try await network.send(request)
        response.headers.removeAll { $0.name.lowercased() == "etag" }
        let answer = response
        staged.withLock { $0[url] = answer }
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if let answer = staged.withLock({ $0.removeValue(forKey: request.url) }) { return answer }
        return try await network.send(request)
    }
}

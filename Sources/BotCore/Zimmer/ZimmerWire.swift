/// What every request to Zimmer has in common, whoever makes it: who calls, and the pass of the gate in front. It knows
/// of no credential of Zimmer's own.
struct ZimmerWire: Sendable {
    let address: ZimmerAddress
    let edge: EdgePass?
    let transport: any HTTPTransport
    /// This program's, for Zimmer's log.
    let version: String

    /// Sends it once.
    ///
    /// - Parameter secrets: what the request carries, which a server may repeat in its words.
    func send(_ request: HTTPRequest, hiding secrets: [APIKey]) async throws(ZimmerError) -> HTTPResponse {
        var request = request
        let pass = edge?.token
        request.headers += [
            (name: "Accept", value: "application/json"),
            (name: "User-Agent", value: "zimmer-bot/\(version)"),
            (name: "X-Zimmer-Client", value: "zimmer-bot/\(version)"),
        ]
        if let pass { request.headers.append((name: "cf-access-token", value: pass.exposed)) }
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request)
        } catch {
            throw ZimmerError(error)
        }
        let isNotModified = response.status == 304 && request.headers.contains { $0.name == "If-None-Match" }
        if 200..<300 ~= response.status || isNotModified { return response }
        let error = ZimmerError(response, hiding: secrets + (pass.map { [$0] } ?? []))
        if error.code == .edgeRefused { edge?.reread() }
        throw error
    }
}

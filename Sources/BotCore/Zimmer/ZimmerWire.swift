/// What every request to Zimmer has in common, whoever makes it: who calls, and the pass of the gate in front. It knows
/// of no credential of Zimmer's own.
struct ZimmerWire: Sendable {
    let address: ZimmerAddress
    let edge: EdgePass?
    let transport: any HTTPTransport
    /// This program's, for Zimmer's log.
    let version: String
    /// Where calls are written down.
    var log: CallLog?

    /// Sends it once.
    ///
    /// - Parameters:
    ///   - secrets: what the request carries, which a server may repeat in its words.
    ///   - record: what is written down of it; nil for nothing.
    func send(
        _ request: HTTPRequest, hiding secrets: [APIKey], noting record: CallLog.Record? = nil
    ) async throws(ZimmerError) -> HTTPResponse {
        let start = log?.elapsed()
        func note(_ status: Int, _ id: String?, _ error: ZimmerError?) {
            guard let log, let start, var record else { return }
            (record.status, record.requestID, record.error) = (status, id, error)
            record.took = log.elapsed() - start
            log.note(record)
        }
        var request = request
        let pass = edge?.token
        request.headers += [
            (name: "Accept", value: "application/json"),
            (name: "User-Agent", value: "zimmer-bot/\(version)"),
            (name: "X-Zimmer-Client", value: "zimmer-bot/\(version)"),
        ]
        if let pass { request.headers.append((name: "cf-access-token", value: pass.exposed)) }
        let secrets = secrets + (pass.map { [$0] } ?? [])
        var response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request)
        } catch {
            let failure = ZimmerError(error)
            // What we cut off ourselves says nothing.
            if error.code != .cancelled, error.code != .closed { note(0, nil, failure) }
            throw failure
        }
        response.hideInRequestID(secrets)
        let isNotModified = response.status == 304 && request.headers.contains { $0.name == "If-None-Match" }
        if 200..<300 ~= response.status || isNotModified {
            note(response.status, response.requestID, nil)
            return response
        }
        let error = ZimmerError(response, hiding: secrets)
        if error.code == .edgeRefused { edge?.reread() }
        note(response.status, response.requestID, error)
        throw error
    }
}

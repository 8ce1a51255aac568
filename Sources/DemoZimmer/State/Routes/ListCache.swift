/// Whole answers to `GET /sessions`, kept while no session changed: polling an idle server costs a comparison.
struct ListCache: Sendable {
    private var revision = -1
    private var responses: [String: HTTPResponse] = [:]

    mutating func response(to target: String, at revision: Int) -> HTTPResponse? {
        guard revision == self.revision else { return nil }
        return responses[target]
    }

    mutating func keep(_ response: HTTPResponse, for target: String, at revision: Int) {
        if revision != self.revision || responses.count >= 1000 { responses = [:] }
        self.revision = revision
        responses[target] = response
    }
}

extension HTTPResponse {
    /// With a weak tag over the body, as Rails adds one to what may be asked for again.
    func tagged() -> Self {
        guard status == 200, header("etag") == nil else { return self }
        var response = self
        response.headers.append(HTTPHeader("etag", "W/\"\(digest(of: body))\""))
        response.headers.append(HTTPHeader("cache-control", "max-age=0, private, must-revalidate"))
        return response
    }

    /// 304 without a body, if the client has this very answer.
    func unlessKnown(to request: HTTPRequest) -> Self {
        guard status == 200, let tag = header("etag"), request.header("if-none-match") == tag else { return self }
        return HTTPResponse(status: 304, headers: headers.filter { $0.name != "content-type" })
    }
}

/// Eight bytes at a time; equal bodies are equal, and nobody here forges the others.
private func digest(of bytes: [UInt8]) -> String {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15 ^ UInt64(bytes.count)
    bytes.withUnsafeBytes { bytes in
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = (state ^ word) &* 0x9fb2_1c65_1e98_df25
            state ^= state >> 32
            offset += 8
        }
        for byte in bytes[offset...] { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(state ^ (state >> 29), radix: 16)
}

/// Something that goes wrong between a client and this server, a given number of times.
package struct Fault: Sendable {
    package enum Effect: Sendable {
        /// This answer instead; nothing is applied.
        case answer(HTTPResponse)
        /// The connection closes before anything is applied.
        case dropRequest
        /// The request is applied, and the connection closes instead of answering.
        case loseAnswer
        /// The request is applied, and the answer comes only when it is released, or after this long.
        case hold(Duration?)
        /// The request is applied, and the answer's body ends after this many bytes.
        case cutBody(after: Int)
        /// The request is applied, and its answer is changed on the way.
        case alter(@Sendable (inout HTTPResponse) -> Void)
    }

    package var pattern: RequestPattern
    package var effect: Effect
    /// Matching requests that pass unharmed first.
    package var skip: Int
    /// How many are hit after that; nil for all, until it is taken back.
    package var times: Int?

    package init(_ pattern: RequestPattern = .any, _ effect: Effect, skip: Int = 0, times: Int? = 1) {
        self.pattern = pattern
        self.effect = effect
        self.skip = skip
        self.times = times
    }

    var isSpent: Bool { times == 0 }

    /// What this fault does to the request, counting it. Nil leaves the request alone.
    mutating func strike(_ request: HTTPRequest) -> Effect? {
        guard !isSpent, pattern.matches(request) else { return nil }
        guard skip == 0 else {
            skip -= 1
            return nil
        }
        times = times.map { $0 - 1 }
        return effect
    }
}

/// Answers that a client meets in the wild.
extension HTTPResponse {
    /// A refusal in Zimmer's envelope.
    package static func refusal(_ status: Int, _ error: String, _ message: String) -> Self {
        Refusal(status, error, message).response
    }

    /// 429: the wait is in the body; there is no `Retry-After` header.
    package static func tooManyRequests(retryAfter seconds: Int) -> Self {
        Refusal(
            429, "Rate limited", "Wait before running this again.",
            extra: [JSON.Member("retry_after", .int(seconds))]
        ).response
    }

    package static let conflict = refusal(409, "Conflict", "Another message took that queue position. Try again.")
    package static let internalError = refusal(500, "Internal Server Error", "An unexpected error occurred")
    /// 503 as some endpoints answer it while the database is out of reach: one key only.
    package static let databaseBusy = json(
        ["error": "The operation couldn't be completed due to high server activity. Please try again."], status: 503)
    package static let badGateway = html(
        "<html><head><title>502 Bad Gateway</title></head></html>", status: 502)
    package static let gatewayTimeout = html(
        "<html><head><title>504 Gateway Time-out</title></head></html>", status: 504)

    /// The access edge asks for a login: never to be followed.
    package static let edgeRedirect = HTTPResponse(
        status: 302,
        headers: [
            HTTPHeader("location", "https://example.cloudflareaccess.com/cdn-cgi/access/login/app.example.com"),
            HTTPHeader("server", "cloudflare"),
        ])
    package static let edgeForbidden = HTTPResponse(
        status: 403,
        headers: [
            HTTPHeader("cf-access-aud", "0000"), HTTPHeader("cf-access-domain", "app.example.com"),
            HTTPHeader("content-type", "text/html"), HTTPHeader("server", "cloudflare"),
        ], body: Array("<html><body>Forbidden</body></html>".utf8))
    package static let edgeUnauthorized = HTTPResponse(
        status: 401,
        headers: [
            HTTPHeader(
                "www-authenticate",
                "Cloudflare-Access resource_metadata=\"https://app.example.com/.well-known/cloudflare-access\""),
            HTTPHeader("content-type", "text/html"),
        ])
}

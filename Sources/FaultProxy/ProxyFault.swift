/// What a network does to one request on its way, or to the answer on its way back.
package enum ProxyFault: String, Sendable, Hashable, CaseIterable {
    /// Nobody listens, for a moment: this connection is reset, and those that follow at once are refused.
    case refused
    /// The connection is reset before the request goes on.
    case reset
    /// The connection closes before the request goes on.
    case closedBefore
    /// The request is carried out, and the connection closes instead of an answer.
    case closedAfter
    /// The request is carried out, and no answer comes until the client gives up.
    case timeout
    /// The connection closes, and the request is carried out some time after that.
    case late
    /// 500, and nothing was done.
    case serverError
    /// 500, and it was done.
    case serverErrorAfter
    /// A gateway's page, and nothing was done.
    case badGateway
    /// A gateway's page, and it was done.
    case badGatewayAfter
    /// Half of the answer's body.
    case truncatedBody
    /// It was done, and what comes back is not HTTP.
    case garbage
    /// It was done, and the answer ends in the middle of a header.
    case halfHeader
    /// 429, the wait in a header.
    case busyByHeader
    /// 429, the wait in the body.
    case busyByBody
    /// An access gate sends the client to its login.
    case loginRedirect
    /// A login page that says 200, and nothing was done.
    case loginPage
    /// It was done, and the answer has 64 MiB.
    case hugeBody
    /// It was done, and the answer comes one byte at a time.
    case slowBody

    /// Whether the server behind the proxy carried the request out.
    package var hasEffect: Bool {
        switch self {
        case .refused, .reset, .closedBefore, .serverError, .badGateway, .busyByHeader, .busyByBody, .loginRedirect,
            .loginPage:
            false
        case .closedAfter, .timeout, .late, .serverErrorAfter, .badGatewayAfter, .truncatedBody, .garbage, .halfHeader,
            .hugeBody, .slowBody:
            true
        }
    }
}

extension ProxyFault {
    /// What the client gets instead of the server's answer; nil where it is not an answer of one piece.
    ///
    /// - Parameter wait: what 429 asks for.
    func answer(wait seconds: Int) -> String? {
        switch self {
        case .serverError, .serverErrorAfter:
            Self.json("500 Internal Server Error", #"{"error":"Internal Server Error","message":"It broke"}"#)
        case .badGateway, .badGatewayAfter:
            Self.message(
                "502 Bad Gateway", "text/html", "<html><head><title>502 Bad Gateway</title></head></html>")
        case .garbage: "\u{1}\u{2}SSH-2.0-OpenSSH_9.6\r\n\u{3}\r\n"
        case .halfHeader: "HTTP/1.1 200 OK\r\nContent-Type: applicat"
        case .busyByHeader:
            Self.message("429 Too Many Requests", "text/plain", "slow down", more: ["Retry-After: \(seconds)"])
        case .busyByBody:
            Self.json(
                "429 Too Many Requests", #"{"error":"Rate limited","message":"Wait.","retry_after":\#(seconds)}"#)
        case .loginRedirect:
            Self.message(
                "302 Found", "text/html", "",
                more: ["Location: https://example.cloudflareaccess.com/cdn-cgi/access/login/app.example.com"])
        case .loginPage: Self.message("200 OK", "text/html", "<html><body>Sign in</body></html>")
        case .refused, .reset, .closedBefore, .closedAfter, .timeout, .late, .truncatedBody, .hugeBody, .slowBody: nil
        }
    }

    private static func json(_ status: String, _ body: String) -> String {
        message(status, "application/json", body)
    }

    private static func message(_ status: String, _ type: String, _ body: String, more: [String] = []) -> String {
        let lines = ["HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + more
        return (lines + ["", body]).joined(separator: "\r\n")
    }
}

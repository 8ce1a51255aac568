/// Why a request has no answer. Prints the host at most: a path or a query may be a secret.
package struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The URL or a header is not one; nothing was sent.
        case invalidRequest
        /// The host's name has no address.
        case resolve
        case connect
        /// No TLS connection: an unknown authority, a wrong name, or a server that does not speak it.
        case tls
        case timeout
        /// The connection ended before the answer did.
        case cut
        /// What came back is not HTTP.
        case garbled
        case tooLarge
        case cancelled
        /// The client is shut down.
        case closed
    }

    /// Whether the server can have acted on the request.
    package enum Reach: String, Sendable { case notSent, maybeSent }

    package var code: Code
    package var reach: Reach
    /// Host and port, where the URL has one.
    package var host: String
    /// What the network library said, without anything of the request.
    package var detail: String

    package init(_ code: Code, _ reach: Reach, host: String, detail: String = "") {
        self.code = code
        self.reach = reach
        self.host = host
        self.detail = detail
    }

    package var description: String {
        let sentence =
            switch code {
            case .invalidRequest: "the request cannot be sent"
            case .resolve: "cannot find the address of \(host)"
            case .connect: "cannot connect to \(host)"
            case .tls: "cannot make a trusted TLS connection to \(host)"
            case .timeout: "\(host) did not answer in time"
            case .cut: "\(host) closed the connection before it had answered"
            case .garbled: "what \(host) answered is not HTTP"
            case .tooLarge: "the answer of \(host) is too large"
            case .cancelled: "the request to \(host) was cancelled"
            case .closed: "the HTTP client is shut down"
            }
        return detail.isEmpty ? sentence : "\(sentence) (\(detail))"
    }
}

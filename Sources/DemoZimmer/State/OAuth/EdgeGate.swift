/// An access gate in front of the machine's paths: what comes without its token does not reach Zimmer.
package struct EdgeGate: Sendable {
    /// Tokens that it lets through.
    package var tokens: Set<String>
    package var refusal: HTTPResponse

    package init(_ tokens: Set<String>, refusal: HTTPResponse = .edgeRedirect) {
        self.tokens = tokens
        self.refusal = refusal
    }

    /// The gate's own answer, where it does not let the request through.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        let isGuarded =
            request.path.starts(with: ["api", "v1"]) || ["/oauth/token", "/oauth/revoke"].contains(request.pathText)
        guard isGuarded, !tokens.contains(request.header("cf-access-token") ?? "") else { return nil }
        return refusal
    }
}

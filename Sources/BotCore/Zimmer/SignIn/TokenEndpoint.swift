import CEL

/// The part of Zimmer's sign-in that is no web page: codes and tokens in, tokens out.
struct TokenEndpoint: Sendable {
    let wire: ZimmerWire
    /// Zimmer's own name for itself: where people open it.
    let issuer: String

    /// Why there are no new tokens.
    enum Failure: Error, Sendable {
        /// A person has to approve again.
        case ended(reason: String)
        /// Not now; what is held stays good, unless `mayBeSpent`.
        case failed(ZimmerError, mayBeSpent: Bool)
    }

    static let timeout: Duration = .seconds(15)

    /// What Zimmer calls the thing that tokens are for.
    static func resource(of issuer: String) -> String { issuer + "/mcp" }

    // MARK: - Requests

    func exchange(_ code: AuthorizationCode, asked: Timestamp) async throws(Failure) -> TokenPair {
        let fields = [
            ("grant_type", "authorization_code"), ("client_id", code.client.id), ("code", code.secret.exposed),
            ("code_verifier", code.verifier.exposed), ("redirect_uri", code.client.redirect),
            ("resource", Self.resource(of: issuer)),
        ]
        return try await pair(fields, hiding: [code.secret, code.verifier], asked: asked, timeout: Self.timeout)
    }

    /// Spends the token, whether or not the answer comes through.
    func refresh(
        _ token: RefreshToken, of client: SignInClient, asked: Timestamp, timeout: Duration
    ) async throws(Failure) -> TokenPair {
        let fields = [
            ("grant_type", "refresh_token"), ("client_id", client.id), ("refresh_token", token.secret.exposed),
        ]
        return try await pair(fields, hiding: [token.secret], asked: asked, timeout: timeout)
    }

    /// Ends the whole sign-in that a token belongs to, whichever it is. Zimmer says yes to whatever it is given.
    func revoke(_ token: APIKey, of client: SignInClient) async throws(ZimmerError) {
        let fields = [("token", token.exposed), ("client_id", client.id)]
        _ = try await wire.send(form("revoke", fields, timeout: Self.timeout), hiding: [token])
    }

    /// What Zimmer calls itself; nil where that cannot be read from here.
    ///
    /// - Throws: what keeps people from signing in at all.
    func describedIssuer() async throws(ZimmerError) -> String? {
        let request = HTTPRequest(
            .get, "\(issuer)/.well-known/oauth-authorization-server", timeout: Self.timeout, isRepeatable: true,
            maximumBody: 64 << 10)
        do throws(ZimmerError) {
            let response = try await pages.send(request, hiding: [])
            return (try? JSONDocument(response.body))?.root["issuer"]?.string
        } catch {
            guard error.code == .unavailable, error.trouble == .failing else { return nil }
            throw error
        }
    }

    /// A new client of Zimmer's: anybody may make one.
    func register(_ name: String, redirect: String) async throws(ZimmerError) -> SignInClient {
        let body: JSONText = .object([
            ("client_name", .string(name)), ("redirect_uris", .array([.string(redirect)])),
            ("token_endpoint_auth_method", .string("none")),
            ("grant_types", .array([.string("authorization_code"), .string("refresh_token")])),
            ("response_types", .array([.string("code")])),
        ])
        let request = HTTPRequest(
            .post, "\(issuer)/oauth/register", headers: [(name: "Content-Type", value: "application/json")],
            body: body.bytes, timeout: Self.timeout, isRepeatable: false, maximumBody: 64 << 10)
        let answer = ZimmerAnswer(try await pages.send(request, hiding: []))
        guard let client = try answer.document().root["client_id"]?.string.flatMap(SignInClient.init) else {
            throw ZimmerError(.badBody, status: answer.status, message: "what answered has no client id in it")
        }
        return client
    }

    /// Where people open Zimmer. The token of a gate before the API does not go elsewhere.
    private var pages: ZimmerWire {
        let edge = issuer == wire.address.text ? wire.edge : nil
        return ZimmerWire(address: wire.address, edge: edge, transport: wire.transport, version: wire.version)
    }

    private func pair(
        _ fields: [(String, String)], hiding secrets: [APIKey], asked: Timestamp, timeout: Duration
    ) async throws(Failure) -> TokenPair {
        let response: HTTPResponse
        do throws(ZimmerError) {
            response = try await wire.send(form("token", fields, timeout: timeout), hiding: secrets)
        } catch {
            throw Failure(error)
        }
        guard let document = try? JSONDocument(response.body), let pair = TokenPair(document.root, asked: asked) else {
            let error = ZimmerError(
                .badBody, status: response.status, message: "what answered has no tokens; look at zimmer.url",
                requestID: response.requestID)
            throw .failed(error, mayBeSpent: true)
        }
        return pair
    }

    private func form(_ route: String, _ fields: [(String, String)], timeout: Duration) -> HTTPRequest {
        let body = fields.map { "\($0.0)=\(ZimmerAddress.encoded($0.1))" }.joined(separator: "&")
        return HTTPRequest(
            .post, "\(wire.address.text)/oauth/\(route)",
            headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")], body: Array(body.utf8),
            timeout: timeout, isRepeatable: false, maximumBody: 64 << 10)
    }
}

extension TokenEndpoint.Failure {
    fileprivate init(_ error: ZimmerError) {
        switch (error.code, error.label) {
        // Whatever else is answered, a person's approval stands.
        case (.refused, "invalid_grant"), (.signIn, "invalid_client"), (.refused, "invalid_client"):
            self = .ended(reason: "\(error.label): \(error.message)")
        case (.transport, _), (.unreadable, _), (.badBody, _):
            self = .failed(error, mayBeSpent: error.reach == .maybeSent)
        // A proxy that did not wait for the answer.
        case (.serverError, _) where error.status == 504 || error.status == 408: self = .failed(error, mayBeSpent: true)
        // Any other answer says that there are no new tokens, and takes none away.
        default: self = .failed(error, mayBeSpent: false)
        }
    }
}

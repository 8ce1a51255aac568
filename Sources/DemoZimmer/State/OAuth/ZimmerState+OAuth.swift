import enum AdapterKit.SHA256

/// The endpoints under `/oauth` and their descriptions.
extension ZimmerState {
    /// Nil for a path that is none of them.
    mutating func answerOAuth(_ request: HTTPRequest) -> HTTPResponse? {
        switch (request.method, request.pathText) {
        case ("GET", "/.well-known/oauth-authorization-server"), ("GET", "/.well-known/oauth-authorization-server/mcp"):
            return describeServer()
        case ("GET", "/.well-known/oauth-protected-resource"), ("GET", "/.well-known/oauth-protected-resource/mcp"):
            return describeResource()
        // Whoever opens them is the demo's person, who is signed in.
        case ("GET", "/oauth/authorize"): return .page(200, Self.consentPage)
        case ("POST", "/oauth/authorize"):
            guard let consent = Consent(word: Form(request)["decision"]) else { return .page(200, Self.consentPage) }
            return authorize((oauth.issuer ?? "") + request.target, consent)
        case ("POST", "/oauth/register"):
            return machineAnswer { state throws(OAuthServer.Failure) in try state.register(request) }
        case ("POST", "/oauth/token"):
            return machineAnswer { state throws(OAuthServer.Failure) in try state.handOut(Form(request)) }
        case ("POST", "/oauth/revoke"):
            return machineAnswer { state in
                if let token = Form(request)["token"] { state.oauth.revoke(token) }
                return HTTPResponse(status: 200)
            }
        default: return nil
        }
    }

    private mutating func machineAnswer(
        _ body: (inout ZimmerState) throws(OAuthServer.Failure) -> HTTPResponse
    ) -> HTTPResponse {
        var response: HTTPResponse
        do throws(OAuthServer.Failure) {
            response = try body(&self)
        } catch {
            response = .json(
                ["error": .string(error.error), "error_description": .string(error.description)], status: error.status)
        }
        response.headers.append(HTTPHeader("cache-control", "no-store"))
        response.headers.append(HTTPHeader("access-control-allow-origin", "*"))
        return response
    }

    // MARK: - What a person decides

    package enum Consent: Sendable {
        case approve(actsForPerson: Bool)
        case deny

        /// As the form of the page sends it; nil for anything else.
        fileprivate init?(word: String?) {
            switch word {
            case "act": self = .approve(actsForPerson: true)
            case "read": self = .approve(actsForPerson: false)
            case "deny": self = .deny
            default: return nil
            }
        }
    }

    private static let consentPage = """
        <h1>Zimmer</h1><p>A program asks to sign in with your account. May it act for you?</p>
        <form method="post">
        <button name="decision" value="act">Yes</button>
        <button name="decision" value="read">Sign in only</button>
        <button name="decision" value="deny">No</button>
        </form>
        """

    /// What the browser of a person who is signed in gets for this address, once the person has decided: a redirect, or a
    /// page that says what is wrong with the address.
    package mutating func authorize(_ url: String, _ consent: Consent) -> HTTPResponse {
        guard let issuer = oauth.issuer, url.hasPrefix(issuer + "/"),
            let request = HTTPRequest(method: "GET", target: String(url.dropFirst(issuer.count))),
            request.pathText == "/oauth/authorize"
        else { return .page(404, "Not found") }
        func parameter(_ name: String) -> String { request.queryValue(name) ?? "" }
        let (client, redirect) = (parameter("client_id"), parameter("redirect_uri"))
        guard let redirects = oauth.redirects(of: client) else { return .page(401, "Unknown client") }
        guard redirects.contains(redirect) else { return .page(400, "Unknown redirect") }
        let question = OAuthServer.Question(
            client: client, redirect: redirect, challenge: parameter("code_challenge"), state: parameter("state"))
        func answer(_ name: String, _ value: String) -> HTTPResponse {
            let items = [(name, value), ("state", question.state), ("iss", issuer)]
            let query = items.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
            return HTTPResponse(status: 302, headers: [HTTPHeader("location", "\(redirect)?\(query)")])
        }
        guard parameter("response_type") == "code" else { return answer("error", "unsupported_response_type") }
        guard parameter("code_challenge_method") == "S256", question.challenge.utf8.count == 43 else {
            return answer("error", "invalid_request")
        }
        guard oauth.isOwn(parameter("resource")) else { return answer("error", "invalid_target") }
        switch consent {
        case .deny: return answer("error", "access_denied")
        case .approve(let acts):
            return answer("code", oauth.approve(question, by: person, actsForPerson: acts, now: now))
        }
    }

    // MARK: - Endpoints

    private mutating func register(_ request: HTTPRequest) throws(OAuthServer.Failure) -> HTTPResponse {
        let redirects = request.json?["redirect_uris"]?.elements?.compactMap(\.text) ?? []
        let loopback = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
        let areFine = redirects.allSatisfy { uri in
            let isWeb =
                uri.hasPrefix("https://") || loopback.contains { uri.hasPrefix($0 + ":") || uri.hasPrefix($0 + "/") }
            return isWeb && !uri.contains("#") && !uri.contains("@")
        }
        guard !redirects.isEmpty, areFine else {
            throw OAuthServer.Failure(
                error: "invalid_redirect_uri", description: "Redirect URIs are https or loopback.")
        }
        let id = oauth.register(redirects)
        return .json(
            [
                "client_id": .string(id), "client_id_issued_at": .int(Int(now.millisecondsSince1970 / 1000)),
                "client_name": request.json?["client_name"] ?? .null, "redirect_uris": JSON(redirects),
                "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            ], status: 201)
    }

    private mutating func handOut(_ form: Form) throws(OAuthServer.Failure) -> HTTPResponse {
        guard oauth.issuer != nil else {
            throw OAuthServer.Failure(error: "temporarily_unavailable", description: "No base URL is set.", status: 503)
        }
        guard let client = form["client_id"] else { throw .request("client_id is missing.") }
        let answer: OAuthServer.Answer
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"], let verifier = form["code_verifier"], 43...128 ~= verifier.utf8.count else {
                throw .request("code and code_verifier are needed.")
            }
            guard oauth.isOwn(form["resource"] ?? "") else { throw .target }
            answer = try oauth.exchange(
                code, client: client, redirect: form["redirect_uri"] ?? "",
                challenge: base64URL(SHA256.hash(Array(verifier.utf8))), now: now)
        case "refresh_token":
            guard let token = form["refresh_token"] else { throw .request("refresh_token is missing.") }
            answer = try oauth.refresh(token, client: client, now: now)
        default:
            throw OAuthServer.Failure(error: "unsupported_grant_type", description: "This grant is not supported.")
        }
        return .json([
            "access_token": .string(answer.access), "token_type": "Bearer",
            "expires_in": .int(Int(answer.life.wholeMilliseconds / 1000)), "refresh_token": .string(answer.refresh),
            "scope": .string(answer.actsForPerson ? "mcp zimmer:act-as-human" : "mcp"),
        ])
    }

    private func describeServer() -> HTTPResponse {
        guard let issuer = oauth.issuer else { return .internalUnavailable }
        return .json([
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/oauth/authorize"),
            "token_endpoint": .string(issuer + "/oauth/token"),
            "revocation_endpoint": .string(issuer + "/oauth/revoke"),
            "registration_endpoint": .string(issuer + "/oauth/register"), "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
            "client_id_metadata_document_supported": true, "authorization_response_iss_parameter_supported": true,
            "scopes_supported": ["mcp", "zimmer:act-as-human"],
        ])
    }

    private func describeResource() -> HTTPResponse {
        guard let issuer = oauth.issuer else { return .internalUnavailable }
        return .json(["resource": .string(issuer + "/mcp"), "authorization_servers": [.string(issuer)]])
    }
}

/// The fields of a body, as JSON or as a form.
private struct Form {
    private let request: HTTPRequest
    private let items: [HTTPRequest.QueryItem]

    init(_ request: HTTPRequest) {
        self.request = request
        let text = String(decoding: request.body, as: UTF8.self)
        items = request.json == nil ? HTTPRequest(method: "POST", target: "/?\(text)")?.query ?? [] : []
    }

    subscript(name: String) -> String? {
        request.json?[name]?.text ?? items.last { $0.name == name }?.value
    }
}

extension HTTPResponse {
    fileprivate static func page(_ status: Int, _ text: String) -> Self {
        .html("<!DOCTYPE html><html><body>\(text)</body></html>", status: status)
    }

    fileprivate static let internalUnavailable = refusal(503, "Service Unavailable", "No base URL is set.")
}

/// Base64 in the alphabet for addresses, without padding.
private func base64URL(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
        for position in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - position * 6) & 63)]) }
    }
    return String(decoding: text, as: UTF8.self)
}

private func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        let character = Character(Unicode.Scalar(byte))
        if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
            bytes.append(byte)
        } else {
            let digits = Array("0123456789ABCDEF".utf8)
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

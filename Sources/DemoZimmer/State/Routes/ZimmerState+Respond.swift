extension ZimmerState {
    /// Answers a request. What Zimmer refuses is refused, with the same status and the same label.
    package mutating func respond(to request: HTTPRequest) -> HTTPResponse {
        // The tunnel in front routes no empty path component; the application never sees such a request.
        if request.path.contains(""), request.path.count > 1 { return .tunnelNotFound }
        if let refusal = edge?.refusal(of: request) { return refusal }
        var response = request.isWrite ? answer(request) : read(request).unlessKnown(to: request)
        requestCount += 1
        response.headers.append(HTTPHeader("date", now.httpDate))
        response.headers.append(HTTPHeader("x-request-id", uuid(of: "request", requestCount)))
        return response
    }

    private mutating func read(_ request: HTTPRequest) -> HTTPResponse {
        guard request.path == ["api", "v1", "sessions"], (try? authenticate(request, for: .everyone)) != nil else {
            return answer(request).tagged()
        }
        if let kept = lists.response(to: request.target, at: sessions.revision) { return kept }
        let response = answer(request).tagged()
        lists.keep(response, for: request.target, at: sessions.revision)
        return response
    }

    private mutating func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.pathText {
        case "/up":
            return .html("<!DOCTYPE html><html><body style=\"background-color: green\"></body></html>", status: 200)
        case "/up/deep": return deepCheck()
        default: break
        }
        if let answer = answerOAuth(request) { return answer }
        guard request.path.starts(with: ["api", "v1"]), let (route, arguments) = route(for: request) else {
            return .routeNotFound
        }
        do {
            let credential = try authenticate(request, for: route.audience)
            let call = Call(
                request: request, arguments: arguments, body: try body(of: request), credential: credential)
            return generation.answer(try route.handler(&self, call))
        } catch let refusal as Refusal {
            return generation.answer(generation.refusal(refusal))
        } catch {
            return Refusal(500, "Internal Server Error", "An unexpected error occurred").response
        }
    }

    private func route(for request: HTTPRequest) -> (Route, [String: String])? {
        let path = request.path.dropFirst(2)
        for route in Route.all where route.method == request.method && generation.has(route) {
            if let arguments = route.arguments(in: path) { return (route, arguments) }
        }
        return nil
    }

    /// The match on a credential is exact, and every cause of refusal gives the same answer.
    private mutating func authenticate(
        _ request: HTTPRequest, for audience: Route.Audience
    ) throws(Refusal) -> Call.Credential {
        if generation != .august, let token = bearerToken(request) {
            guard let acts = bearerTokens[token] ?? oauth.level(of: token, now: now) else {
                throw .badToken
            }
            switch audience {
            case .keys: throw .badToken
            case .person where !acts: throw Refusal(403, "Forbidden", "This sign-in relays; it does not act for you.")
            default: return .token(actsForPerson: acts)
            }
        }
        guard let key = request.header("x-api-key"), apiKeys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) else {
            throw .badKey
        }
        if case .person = audience { throw .badKey }
        return .apiKey
    }

    private func bearerToken(_ request: HTTPRequest) -> String? {
        guard let value = request.header("authorization"), value.hasPrefix("Bearer zmr_oat_") else { return nil }
        return String(value.dropFirst("Bearer ".count))
    }

    private func body(of request: HTTPRequest) throws(Refusal) -> JSON {
        if request.body.isEmpty { return [:] }
        guard let json = request.json else {
            throw Refusal(400, "Bad Request", "Error occurred while parsing request parameters")
        }
        return json
    }

    private func deepCheck() -> HTTPResponse {
        let healthy = failedDependencies.isEmpty
        func check(_ name: String, _ detail: JSON.Member) -> JSON.Member {
            let failed = failedDependencies.contains(name)
            let status = JSON.Member("status", failed ? "error" : "ok")
            return JSON.Member(name, .object([status, failed ? JSON.Member("error", "connection refused") : detail]))
        }
        let checks: JSON = .object([
            check("database", JSON.Member("adapter", "PostgreSQL")),
            check("cache", JSON.Member("store", "ActiveSupport::Cache::RedisCacheStore")),
            check("redis", JSON.Member("via", "cache store")),
        ])
        return .json(
            [
                "status": healthy ? "ok" : "error", "failed": JSON(failedDependencies), "checks": checks,
                "checked_at": JSON(now),
            ], status: healthy ? 200 : 503)
    }
}

extension HTTPResponse {
    /// A path that the tunnel in front does not route: no JSON, no `x-request-id`.
    package static let tunnelNotFound = HTTPResponse(
        status: 404, headers: [HTTPHeader("content-type", "text/plain")], body: Array("404 page not found".utf8))

    /// A route that this server does not have, as Rails says it.
    package static let routeNotFound = HTTPResponse(
        status: 404, headers: [HTTPHeader("content-type", "text/html; charset=utf-8")],
        body: Array("<!DOCTYPE html><html><body>Not found</body></html>".utf8))
}

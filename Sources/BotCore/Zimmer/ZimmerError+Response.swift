import CEL

extension ZimmerError {
    /// What an answer that is no success says. The order matters: an edge in front of Zimmer uses the same statuses.
    ///
    /// - Parameter keys: what the request carried.
    init(_ response: HTTPResponse, hiding keys: [APIKey] = []) {
        let body = ErrorBody(response, hiding: keys)
        self.init(
            Self.code(response), status: response.status, label: body.label, message: body.message,
            retryAfter: body.retryAfter ?? Self.retryAfter(response), requestID: response.requestID)
        if code == .redirected { message = URLHost.origin(of: response.header("location") ?? "") }
        switch code {
        case .serverError, .badBody: reach = .maybeSent
        // In Zimmer's own words it means that nothing was done; from a proxy, which may number requests too, that an
        // answer may have got lost.
        case .unavailable: reach = body.isEnvelope ? .notSent : .maybeSent
        default: reach = .notSent
        }
    }

    private static func code(_ response: HTTPResponse) -> Code {
        if isEdgeRefusal(response) { return .edgeRefused }
        switch response.status {
        case 300..<400: return .redirected
        case 401: return .signIn
        case 403: return .forbidden
        case 404:
            let isPlain = ASCII.hasPrefixIgnoringCase(response.header("content-type") ?? "", "text/plain")
            return isPlain && response.requestID == nil ? .tunnelMissingRoute : .notFound
        case 408: return .serverError
        case 409: return .conflict
        case 429: return .rateLimited
        case 400..<500: return .refused
        case 503: return .unavailable
        case 500..<600: return .serverError
        default: return .badBody
        }
    }

    private static func isEdgeRefusal(_ response: HTTPResponse) -> Bool {
        let challenge = response.header("www-authenticate") ?? ""
        if ASCII.hasPrefixIgnoringCase(challenge, "Cloudflare-Access") { return true }
        switch response.status {
        case 300..<400:
            let host = URLHost.name(of: response.header("location") ?? "")
            return ASCII.hasSuffixIgnoringCase(host, ".cloudflareaccess.com")
        case 401, 403:
            return response.header("cf-access-aud") != nil || response.header("cf-access-domain") != nil
        default: return false
        }
    }

    /// Zimmer has no such header; a proxy may.
    private static func retryAfter(_ response: HTTPResponse) -> Duration? {
        guard let text = response.header("retry-after") else { return nil }
        if let seconds = Int(text) { return ErrorBody.bounded(Int64(seconds)) }
        guard let until = WireTime.httpDate(text), let now = response.serverDate else { return nil }
        return ErrorBody.bounded(until.seconds - now.seconds)
    }
}

extension HTTPResponse {
    /// What Rails names each request; nil when something in front of it answered.
    var requestID: String? { header("x-request-id") }

    /// The id is written down, and a server may make it of what it was sent.
    mutating func hideInRequestID(_ keys: [APIKey]) {
        for (index, header) in headers.enumerated() where ASCII.equalIgnoringCase(header.name, "x-request-id") {
            headers[index].value = keys.reduce(header.value) { $1.redacted(from: $0) }
        }
    }

    /// Zimmer's clock when the answer was whole: it says when it began.
    var serverDate: Timestamp? { header("date").flatMap(WireTime.httpDate).map { $0 + bodyTime } }
}

/// Zimmer's error envelope, read leniently: any of its members may be missing, and it may not be JSON at all.
struct ErrorBody {
    var label: String
    var message: String
    var retryAfter: Duration?
    /// It is Zimmer's form of an error, whichever members it has.
    var isEnvelope: Bool

    /// Longer bodies are not worth parsing for one sentence.
    private static let maximumBytes = 1 << 20

    init(_ response: HTTPResponse, hiding keys: [APIKey]) {
        func clean(_ text: String) -> String {
            // Before the text is cut, which could leave the beginning of a key.
            Self.clean(keys.reduce(text) { $1.redacted(from: $0) })
        }
        let document = response.body.count <= Self.maximumBytes ? try? JSONDocument(response.body) : nil
        let root = document?.root
        label = clean(root?["error"]?.string ?? "")
        let messages = root?["messages"]?.elements.compactMap(\.string).joined(separator: ", ") ?? ""
        // The last is how sign-ins are refused (RFC 6749, section 5.2).
        let description = root?["error_description"]?.string ?? ""
        let candidates = [root?["message"]?.string ?? "", messages, description, label].map(clean)
        message = candidates.first { !$0.isEmpty } ?? "no reason given"
        retryAfter = root?["retry_after"]?.int.flatMap(Self.bounded)
        isEnvelope = !label.isEmpty
    }

    /// A wait that makes sense: from now to a day.
    static func bounded(_ seconds: Int64) -> Duration {
        .seconds(min(max(seconds, 0), 86_400))
    }

    private static func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.lazy.filter { !$0.properties.isDefaultIgnorableCodePoint }
            .map { $0.value < 0x20 || 0x7F...0x9F ~= $0.value ? " " : $0 }.prefix(500)
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: scalars)
        return String(cleaned)
    }
}

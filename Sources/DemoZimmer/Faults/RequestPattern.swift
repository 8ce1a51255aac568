/// Which requests are meant: a method, a path, a query item. What is not said matches anything.
package struct RequestPattern: Sendable, Hashable {
    package var method: String?
    /// Path components; `*` stands for any one of them. Nil for any path.
    package var path: [String]?
    package var query: [String: String]

    /// - Parameters:
    ///   - method: `GET`, `POST`, …
    ///   - path: as in `/api/v1/sessions/*/follow_up`.
    ///   - query: items that have to be there with this value.
    package init(_ method: String? = nil, _ path: String? = nil, query: [String: String] = [:]) {
        self.method = method
        self.path = path?.split(separator: "/").map(String.init)
        self.query = query
    }

    package static let any = RequestPattern()
    package static let board = RequestPattern("GET", "/api/v1/sessions")
    package static func boardPage(_ number: Int) -> Self {
        RequestPattern("GET", "/api/v1/sessions", query: ["page": String(number)])
    }
    package static let session = RequestPattern("GET", "/api/v1/sessions/*")
    package static let health = RequestPattern("GET", "/api/v1/health")
    package static let costs = RequestPattern("GET", "/api/v1/costs")
    package static let notifications = RequestPattern("GET", "/api/v1/notifications")
    package static let elicitations = RequestPattern("GET", "/api/v1/sessions/*/elicitations")
    package static let triggers = RequestPattern("GET", "/api/v1/triggers")
    package static let conversation = RequestPattern("GET", "/api/v1/sessions/*/conversation")
    package static let followUp = RequestPattern("POST", "/api/v1/sessions/*/follow_up")
    package static let token = RequestPattern("POST", "/oauth/token")
    package static let authorizeMerge = RequestPattern("POST", "/api/v1/sessions/*/authorize_merge")
    package static let visibility = RequestPattern("PATCH", "/api/v1/sessions/*/visibility")

    package func matches(_ request: HTTPRequest) -> Bool {
        if let method, method != request.method { return false }
        if let path {
            guard path.count == request.path.count else { return false }
            for (pattern, component) in zip(path, request.path) where pattern != "*" && pattern != component {
                return false
            }
        }
        return query.allSatisfy { name, value in
            // A client may leave out the first page's number.
            request.queryValue(name) == value
                || (name == "page" && value == "1" && request.queryValue("page") == nil)
        }
    }
}

/// A request that came in, and what became of it.
package struct RecordedRequest: Sendable {
    package var request: HTTPRequest
    /// The server's time when it came.
    package var time: ServerTime
    /// Whether it was carried out, answered or not.
    package var wasApplied: Bool
    /// The status that was sent; nil when the connection closed instead.
    package var status: Int?

    package var method: String { request.method }
    package var path: String { request.pathText }
    package var body: JSON? { request.json }
    /// The session that the path names by its id.
    package var sessionID: Int? {
        guard request.path.count > 3, request.path[2] == "sessions" else { return nil }
        return Int(request.path[3])
    }
}

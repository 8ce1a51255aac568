/// An answer that says no, in the shape Zimmer gives it.
struct Refusal: Error {
    var status: Int
    /// The short label; a few of them are stable enough to branch on.
    var error: String
    var messages: [String]
    /// Keys that ride along.
    var extra: [JSON.Member] = []

    init(_ status: Int, _ error: String, _ message: String, extra: [JSON.Member] = []) {
        self.status = status
        self.error = error
        self.messages = [message]
        self.extra = extra
    }

    var response: HTTPResponse {
        let body: JSON = [
            "error": .string(error), "message": .string(messages.joined(separator: ", ")), "messages": JSON(messages),
        ]
        return .json(.object((body.members ?? []) + extra), status: status)
    }

    static let notFound = Refusal(404, "Not Found", "The requested resource was not found")
    static let badKey = Refusal(401, "Unauthorized", "Invalid or missing API key")
    static let badToken = Refusal(401, "Unauthorized", "Invalid or expired access token")

    static func unprocessable(_ error: String, _ message: String) -> Refusal {
        Refusal(422, error, message)
    }

    static func invalid(_ message: String) -> Refusal {
        Refusal(422, "Validation failed", message)
    }
}

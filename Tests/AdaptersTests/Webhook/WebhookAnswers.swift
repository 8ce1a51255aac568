import AdapterKit
import Synchronization

/// Answers given one after the other; the last one again and again.
final class Answers: Sendable {
    private let rest: Mutex<[HTTPResponse]>

    init(_ answers: [HTTPResponse]) {
        rest = Mutex(answers)
    }

    func next() -> HTTPResponse {
        rest.withLock { rest in
            guard let first = rest.first else { return HTTPResponse(status: 500) }
            if rest.count > 1 { rest.removeFirst() }
            return first
        }
    }
}

extension HTTPResponse {
    /// As Discord answers.
    static func status(_ status: Int, id: String? = nil, headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array((id.map { #"{"id":"\#($0)"}"# } ?? "").utf8))
    }
}

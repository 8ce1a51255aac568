import AdapterKit

/// A call of the Client-Server API, apart from where the homeserver is and who calls.
struct MatrixRequest: Hashable, Sendable {
    enum Body: Hashable, Sendable {
        case none
        case json(JSON)
        case media([UInt8], type: String)
    }

    /// A pair of the query.
    struct Parameter: Hashable, Sendable {
        var name: String
        var value: String
    }

    var method: String
    /// The parts of the path behind `/_matrix`, as they are meant: each is encoded on its own.
    var path: [String]
    var query: [Parameter] = []
    var body = Body.none
    var timeout = Duration.seconds(30)
    var maximumAnswerSize = 256 * 1024

    var isSync: Bool { path.last == "sync" }
    var isMessage: Bool { method == "PUT" && path.contains("send") }

    /// Path and query as they are sent. Ids hold `!`, `#`, `:`, `/` and `+`.
    var target: String {
        let path = self.path.map(Self.encoded).joined(separator: "/")
        let query = self.query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        return "/_matrix/\(path)" + (query.isEmpty ? "" : "?\(query)")
    }

    /// The same as an HTTP request.
    ///
    /// - Parameters:
    ///   - homeserver: Without a slash at its end.
    ///   - token: Nil for a login.
    func http(homeserver: String, token: Secret?) -> HTTPRequest {
        var headers: [HTTPHeader] = []
        if let token { headers.append(HTTPHeader("Authorization", Secret("Bearer \(token.reveal())"))) }
        var bytes: [UInt8] = []
        switch body {
        case .none: break
        case .json(let value):
            headers.append(HTTPHeader("Content-Type", "application/json"))
            bytes = value.bytes
        case .media(let content, let type):
            headers.append(HTTPHeader("Content-Type", type))
            bytes = content
        }
        // Each sets something as it is to be; an event has its transaction. An upload that is made twice is only stored twice.
        return HTTPRequest(
            method: method, url: Secret(homeserver + target), headers: headers, body: bytes, timeout: timeout,
            isRepeatable: true, maximumAnswerSize: maximumAnswerSize)
    }

    private static func encoded(_ part: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in part.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

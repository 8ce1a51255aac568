import DemoZimmer
import Dispatch
import Glibc

/// A client of one request per connection, so small that nothing in it can help the server along.
struct HTTPClient: Sendable {
    let port: UInt16
    var headers: [(String, String)] = []

    struct Failure: Error {}

    init(port: UInt16, key: String? = nil) {
        self.port = port
        if let key { headers = [("X-API-Key", key)] }
    }

    init(_ server: DemoServer) {
        self.init(port: server.port, key: server.apiKey)
    }

    /// - Throws: `Failure` when the connection closes before the whole answer is there.
    func send(
        _ method: String, _ target: String, _ body: JSON? = nil, headers extra: [(String, String)] = []
    ) async throws -> HTTPResponse {
        let bytes = body?.bytes ?? []
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in headers + extra { text += "\(name): \(value)\r\n" }
        if body != nil { text += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n" }
        return try Self.parse(try await exchange(Array((text + "\r\n").utf8) + bytes))
    }

    func get(_ target: String, headers: [(String, String)] = []) async throws -> HTTPResponse {
        try await send("GET", target, headers: headers)
    }

    func post(_ target: String, _ body: JSON = [:]) async throws -> HTTPResponse {
        try await send("POST", target, body)
    }

    func patch(_ target: String, _ body: JSON = [:]) async throws -> HTTPResponse {
        try await send("PATCH", target, body)
    }

    /// Sends the bytes and reads until the server closes, away from the threads that tests run on.
    func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
        let port = port
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.exchangeBlocking(bytes, port: port) })
            }
        }
    }

    private static func exchangeBlocking(_ bytes: [UInt8], port: UInt16) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure() }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // A server that refuses early closes while we still send; its answer may be there all the same.
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return received }
            received += buffer[..<count]
        }
    }

    private static func parse(_ bytes: [UInt8]) throws -> HTTPResponse {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure() }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure()
        }
        var response = HTTPResponse(status: status, body: Array(bytes[end.upperBound...]))
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            response.headers.append(
                HTTPHeader(String(pair[0]), pair.count > 1 ? String(pair[1].drop { $0 == " " }) : ""))
        }
        if let length = response.header("content-length").flatMap({ Int($0) }), length != response.body.count,
            status != 304
        {
            throw Failure()
        }
        return response
    }
}

extension HTTPResponse {
    var json: JSON { JSON(parsing: body) ?? .null }
}

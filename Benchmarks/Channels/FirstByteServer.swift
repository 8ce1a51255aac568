import Foundation
import Glibc
import Synchronization

/// As much of a homeserver as a message needs; it notes when the first byte of each request came.
final class FirstByteServer: Sendable {
    let url: String
    private let listener: Int32
    private let requests = Mutex<[(text: String, at: ContinuousClock.Instant)]>([])

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw BenchmarkFailure("no port is free on loopback") }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread.detachNewThread { self.accept() }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// When the first byte of the request with this text came.
    func arrival(of text: String) async throws -> ContinuousClock.Instant {
        for _ in 0..<100_000 {
            if let found = requests.withLock({ $0.first { $0.text.contains(text) }?.at }) { return found }
            try await Task.sleep(for: .microseconds(100))
        }
        throw BenchmarkFailure("no request with '\(text)' came")
    }

    private func accept() {
        while case let connection = Glibc.accept(listener, nil, nil), connection >= 0 {
            Thread.detachNewThread { self.serve(connection) }
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        while let (text, time) = read(connection) {
            requests.withLock { $0.append((text, time)) }
            // A long poll never answers: nothing happens in the room.
            if text.contains("/sync?"), text.contains("since=") {
                _ = read(connection)
                return
            }
            let body = Self.answer(to: text)
            let status = body == nil ? "404 Not Found" : "200 OK"
            let text = body ?? #"{"errcode": "M_NOT_FOUND", "error": "no such event"}"#
            let answer =
                "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
            _ = Array(answer.utf8).withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Nil: there is nothing of that kind, such as encryption.
    private static func answer(to request: String) -> String? {
        let line = request.prefix { $0 != "\r\n" && $0 != "\n" }
        if line.contains("/whoami") { return #"{"user_id": "@bot:localhost", "device_id": "BOT"}"# }
        if line.contains("/send/") { return #"{"event_id": "$\#(UUID().uuidString)"}"# }
        if line.contains("/join") { return #"{"room_id": "!room"}"# }
        if line.contains("/joined_rooms") { return #"{"joined_rooms": ["!room"]}"# }
        if line.contains("/sync") { return #"{"next_batch": "s1"}"# }
        return line.contains("/state/") ? nil : "{}"
    }

    /// A request, and when it began.
    private func read(_ connection: Int32) -> (text: String, at: ContinuousClock.Instant)? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var begin: ContinuousClock.Instant?
        while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
            begin = begin ?? ContinuousClock.now
            bytes += buffer[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let length =
                text[..<head.lowerBound].split(separator: "\r\n").lazy.compactMap { line -> Int? in
                    let parts = line.split(separator: ":", maxSplits: 1)
                    guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
                    return Int(parts[1].trimmingCharacters(in: .whitespaces))
                }.first ?? 0
            if text[head.upperBound...].utf8.count >= length { return (text, begin ?? ContinuousClock.now) }
        }
        return nil
    }
}

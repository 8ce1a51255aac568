import Foundation
import Glibc
import Synchronization

/// A throw-away HTTP server on the loopback that answers byte for byte what a test says: cut, garbled and missing answers
/// too, which a real server does not give.
///
/// Each connection has a thread of its own, so nothing here holds up the tasks of a test.
package final class ScriptedServer: Sendable {
    /// A request as it arrived.
    package struct Request: Sendable {
        package var method: String
        /// Path and query, as sent.
        package var target: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// 0 for the first connection, then counting.
        package var connection: Int

        package func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// What is done with a connection, in order. Behind the last action it waits for the next request.
    package enum Action: Sendable {
        case send([UInt8])
        case close
        /// Ends the connection so that the client sees an error rather than an end.
        case reset
        /// Lets a second pass.
        case pause
        /// Does nothing until the client goes away or the server is stopped.
        case hold
    }

    package typealias Answer = @Sendable (Request) -> [Action]

    private struct State {
        var requests: [Request] = []
        var connections: Set<Int32> = []
        var isStopped = false
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var ended = 0
        var waitingForEnd: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())
    private let greeting: [Action]
    private let answer: Answer

    /// - Parameter greeting: done with each new connection, before anything is read from it.
    package init(greeting: [Action] = [], _ answer: @escaping Answer) throws {
        self.greeting = greeting
        self.answer = answer
        (listener, port) = try Self.listen()
        let thread = Thread { [self] in accept() }
        thread.start()
    }

    /// Answers every request with the same response.
    package convenience init(_ response: [UInt8]) throws {
        try self.init { _ in [.send(response)] }
    }

    /// Does the same for every request.
    package static func always(_ actions: Action...) -> Answer {
        { _ in actions }
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    package var requests: [Request] { state.withLock { $0.requests } }

    /// Returns when `count` requests have arrived, whether answered or not.
    package func received(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns when `count` connections have ended, from either side.
    package func ended(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.ended >= count { return true }
                state.waitingForEnd.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends all connections and the threads.
    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    /// The bytes of a complete response.
    package static func response(
        _ status: Int = 200, headers: [(name: String, value: String)] = [], body: String = ""
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) Whatever\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return Array("\(head)\r\n\(body)".utf8)
    }

    // MARK: - Threads

    private struct SocketFailure: Error {}

    private static func listen() throws -> (listener: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) | Glibc.listen(listener, 64) | getsockname(listener, generic, &length)
            }
        }
        guard listener >= 0, result == 0 else { throw SocketFailure() }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private func accept() {
        var count = 0
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let number = count
            count += 1
            let isStopped = state.withLock { state in
                if !state.isStopped { state.connections.insert(connection) }
                return state.isStopped
            }
            if isStopped {
                close(connection)
                break
            }
            let thread = Thread { [self] in serve(connection, number) }
            thread.start()
        }
        close(listener)
    }

    private func serve(_ connection: Int32, _ number: Int) {
        var buffer: [UInt8] = []
        let isOpen = greeting.allSatisfy { Self.perform($0, on: connection) }
        serving: while isOpen, let request = Self.read(from: connection, &buffer, number) {
            let arrived = state.withLock { state in
                state.requests.append(request)
                let count = state.requests.count
                let arrived = state.waiting.filter { $0.count <= count }
                state.waiting.removeAll { $0.count <= count }
                return arrived
            }
            for waiting in arrived { waiting.continuation.resume() }
            for action in answer(request) where !Self.perform(action, on: connection) { break serving }
        }
        let seen = state.withLock { state in
            state.connections.remove(connection)
            state.ended += 1
            let count = state.ended
            defer { state.waitingForEnd.removeAll { $0.count <= count } }
            return state.waitingForEnd.filter { $0.count <= count }
        }
        close(connection)
        for waiting in seen { waiting.continuation.resume() }
    }

    /// False when the connection is at its end.
    private static func perform(_ action: Action, on connection: Int32) -> Bool {
        switch action {
        case .send(let bytes):
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        case .close: return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            return false
        case .pause:
            sleep(1)
            return true
        case .hold:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            return false
        }
    }

    /// The next request; nil when the client has gone.
    private static func read(from connection: Int32, _ buffer: inout [UInt8], _ number: Int) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = buffer.firstRange(of: end) {
                let lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
                let words = (lines.first ?? "").split(separator: " ")
                let headers = lines.dropFirst().map { line in
                    let parts = line.split(separator: ":", maxSplits: 1)
                    let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                    return (name: String(parts.first ?? ""), value: value)
                }
                var request = Request(
                    method: String(words.first ?? ""), target: words.count > 1 ? String(words[1]) : "",
                    headers: headers,
                    body: [], connection: number)
                let length = request.header("content-length").flatMap { Int($0) } ?? 0
                let total = head.upperBound + length
                while buffer.count < total { guard receive(from: connection, &buffer) else { return nil } }
                request.body = Array(buffer[head.upperBound..<total])
                buffer.removeFirst(total)
                return request
            }
            guard receive(from: connection, &buffer) else { return nil }
        }
    }

    private static func receive(from connection: Int32, _ buffer: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }
}

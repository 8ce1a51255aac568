import Foundation
import Glibc
import Synchronization

/// Reads a connection on a thread of its own and notes when each line came.
final class SocketTap: Sendable {
    private let descriptor: Int32
    private let arrivals = Mutex<[(line: String, at: ContinuousClock.Instant)]>([])
    private let answer: @Sendable (String) -> String?

    /// - Parameter answer: what to write back to a line, at once.
    init(port: Int, answer: @escaping @Sendable (String) -> String?) throws {
        self.answer = answer
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
        guard isConnected else { throw BenchmarkFailure("nobody listens on port \(port)") }
        Thread.detachNewThread { self.read() }
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// When the first line with this text came. Asks again every tenth of a millisecond: the time is noted by the thread.
    func arrival(of text: String) async throws -> ContinuousClock.Instant {
        for _ in 0..<100_000 {
            if let found = arrivals.withLock({ $0.first { $0.line.contains(text) }?.at }) { return found }
            try await Task.sleep(for: .microseconds(100))
        }
        throw BenchmarkFailure("no line with '\(text)' came")
    }

    private func read() {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            let now = ContinuousClock.now
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                arrivals.withLock { $0.append((line, now)) }
                if let text = answer(line) { write(text) }
            }
        }
        Glibc.close(descriptor)
    }
}

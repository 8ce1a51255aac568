import Foundation
import Glibc
import Synchronization

/// A throw-away SMTP server on the loopback that answers what a test says, and keeps what it was told.
///
/// Each connection has a thread of its own, so nothing here holds up the tasks of a test.
final class ScriptedMailServer: Sendable {
    enum Reply: Sendable {
        /// Without its line end.
        case say(String)
        case close
        /// Says nothing until the client goes away.
        case hold
    }

    private struct State {
        var commands: [String] = []
        var contents: [[UInt8]] = []
        var waiting: [(command: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())
    /// By the command's first word; `.` is the end of a mail, and the empty word the greeting.
    private let replies: [String: Reply]

    private static let standard: [String: Reply] = [
        "": .say("220 mail.test ESMTP"), "EHLO": .say("250-mail.test\r\n250-8BITMIME\r\n250 AUTH PLAIN"),
        "AUTH": .say("235 welcome"), "DATA": .say("354 go on"), ".": .say("250 taken"), "QUIT": .say("221 bye"),
    ]

    init(_ replies: [String: Reply] = [:]) throws {
        self.replies = Self.standard.merging(replies) { _, new in new }
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) | listen(listener, 8) | getsockname(listener, generic, &length)
            }
        }
        guard result == 0 else { throw CocoaError(.fileReadUnknown) }
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in accept() }.start()
    }

    var url: String { "smtp://127.0.0.1:\(port)" }
    var commands: [String] { state.withLock { $0.commands } }
    /// Mails as they came, dots still doubled.
    var contents: [[UInt8]] { state.withLock { $0.contents } }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Returns when a command has come.
    func received(_ command: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.commands.contains(where: { $0.hasPrefix(command) }) { return true }
                state.waiting.append((command, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    // MARK: - Threads

    private func accept() {
        while case let connection = Glibc.accept(listener, nil, nil), connection >= 0 {
            Thread { [self] in
                serve(connection)
                close(connection)
            }.start()
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        var buffer: [UInt8] = []
        guard answer("", on: connection) else { return }
        while let line = Self.read(from: connection, until: "\r\n", &buffer) {
            let command = String(decoding: line, as: UTF8.self)
            note(command)
            let word = command.split(separator: " ").first.map(String.init) ?? ""
            if word == "AUTH" {
                guard say("334 ", on: connection), Self.read(from: connection, until: "\r\n", &buffer) != nil else {
                    return
                }
            }
            guard answer(word, on: connection) else { return }
            if word == "DATA", case .say(let reply) = replies["DATA"], reply.hasPrefix("3") {
                guard let content = Self.read(from: connection, until: "\r\n.\r\n", &buffer) else { return }
                state.withLock { $0.contents.append(content) }
                guard answer(".", on: connection) else { return }
            }
        }
    }

    private func note(_ command: String) {
        let met = state.withLock { state in
            state.commands.append(command)
            let met = state.waiting.filter { command.hasPrefix($0.command) }
            state.waiting.removeAll { command.hasPrefix($0.command) }
            return met
        }
        for waiting in met { waiting.continuation.resume() }
    }

    private func answer(_ word: String, on connection: Int32) -> Bool {
        switch replies[word] ?? .say("250 fine") {
        case .say(let text): return say(text, on: connection)
        case .close: return false
        case .hold:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            return false
        }
    }

    private func say(_ text: String, on connection: Int32) -> Bool {
        let bytes = Array("\(text)\r\n".utf8)
        return send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    private static func read(from connection: Int32, until end: String, _ buffer: inout [UInt8]) -> [UInt8]? {
        let end = Array(end.utf8)
        while true {
            if let found = buffer.firstRange(of: end) {
                defer { buffer.removeFirst(found.upperBound) }
                return Array(buffer[..<found.lowerBound])
            }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }
}

import AdapterKit
import BotTestSupport
import Foundation
import Testing

@testable import BotCore

/// Connections without TLS, to a scripted peer on the loopback.
@Suite(.timeLimit(.minutes(10))) struct CurlByteStreamTests {
    private let streams = CurlByteStreams()

    private func connect(_ server: ScriptedServer) async throws -> any ByteStream {
        try await streams.connect(to: ByteStreamEndpoint(host: "127.0.0.1", port: Int(server.port), tls: nil))
    }

    @Test func `bytes go out and come back, and the end is an end`() async throws {
        let server = try ScriptedServer { request in [.send(Array("got \(request.method)".utf8)), .close] }
        defer { server.stop() }
        let stream = try await connect(server)
        try await stream.write(Array("hello you\r\n\r\n".utf8), timeout: .seconds(10))
        #expect(try await stream.readAll() == "got hello")
        #expect(try await stream.read(atMost: 10).isEmpty)
    }

    @Test func `what arrives is read in pieces of the size asked for`() async throws {
        let server = try ScriptedServer(greeting: [.send(Array("abcdef".utf8)), .close]) { _ in [] }
        defer { server.stop() }
        let stream = try await connect(server)
        var pieces: [String] = []
        while case let bytes = try await stream.read(atMost: 1), !bytes.isEmpty {
            pieces.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(pieces == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func `a connection that is reset fails`() async throws {
        let server = try ScriptedServer { _ in [.reset] }
        defer { server.stop() }
        let stream = try await connect(server)
        try await stream.write(Array("x\r\n\r\n".utf8), timeout: .seconds(10))
        for _ in 1...2 {
            let failure = await #expect(throws: ByteStreamFailure.self) { _ = try await stream.read(atMost: 10) }
            #expect(failure?.code == .closed)
        }
    }

    @Test func `nobody there, and no such name, is unreachable`() async throws {
        let server = try ScriptedServer([])
        server.stop()
        for (host, port) in [("127.0.0.1", Int(server.port)), ("no-such-host.invalid", 6667)] {
            let failure = await #expect(throws: ByteStreamFailure.self) {
                _ = try await streams.connect(to: ByteStreamEndpoint(host: host, port: port, tls: nil))
            }
            #expect(failure?.code == .unreachable)
        }
    }

    @Test(arguments: [
        ("", 1), ("a b", 1), ("a/b", 1), ("me@host", 1), ("a\r\nb", 1), ("a?b", 1), ("a#b", 1), ("host", 0),
        ("host", 65_536), ("host", -1), ("file://x", 1), (String(repeating: "a", count: 300), 1),
    ])
    func `what is no address is refused`(host: String, port: Int) async {
        let failure = await #expect(throws: ByteStreamFailure.self) {
            _ = try await streams.connect(to: ByteStreamEndpoint(host: host, port: port, tls: nil))
        }
        #expect(failure?.code == .invalidEndpoint)
    }

    @Test func `a peer that takes nothing runs into the timeout of the write`() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _ in
            isOver.wait()
            return [.close]
        }
        defer {
            isOver.signal()
            server.stop()
        }
        let stream = try await connect(server)
        try await stream.write(Array("x\r\n\r\n".utf8), timeout: .seconds(10))
        await server.received(1)
        let failure = await #expect(throws: ByteStreamFailure.self) {
            try await stream.write([UInt8](repeating: 0x61, count: 64 << 20), timeout: .milliseconds(100))
        }
        #expect(failure?.code == .timedOut)
        await #expect(throws: ByteStreamFailure.self) { try await stream.write([0x61], timeout: .seconds(1)) }
    }

    @Test func `a cancelled read ends, and the next one gets what comes then`() async throws {
        let server = try ScriptedServer { _ in [.send(Array("late".utf8)), .close] }
        defer { server.stop() }
        let stream = try await connect(server)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) { _ = try await stream.read(atMost: 10) }
            }
            group.cancelAll()
        }
        try await stream.write(Array("x\r\n\r\n".utf8), timeout: .seconds(10))
        #expect(try await stream.readAll() == "late")
    }

    @Test func `closing ends a read under way`() async throws {
        let server = try ScriptedServer(greeting: [.send([0x61])]) { _ in [.hold] }
        defer { server.stop() }
        let stream = try await connect(server)
        #expect(try await stream.read(atMost: 1) == [0x61])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let failure = await #expect(throws: ByteStreamFailure.self) { _ = try await stream.read(atMost: 10) }
                #expect(failure?.code == .closed)
            }
            group.addTask { await stream.close() }
        }
        await stream.close()
    }

    @Test func `a connection that is let go is closed`() async throws {
        let server = try ScriptedServer { _ in [.send([0x61])] }
        defer { server.stop() }
        weak var gone: AnyObject?
        do {
            let stream = try await connect(server)
            gone = stream as AnyObject
            try await stream.write(Array("x\r\n\r\n".utf8), timeout: .seconds(10))
            #expect(try await stream.read(atMost: 1) == [0x61])
        }
        #expect(gone == nil)
        await server.ended(1)
    }
}

extension ByteStream {
    /// Everything up to the end.
    func readAll() async throws -> String {
        var text: [UInt8] = []
        while case let bytes = try await read(atMost: 1000), !bytes.isEmpty { text += bytes }
        return String(decoding: text, as: UTF8.self)
    }
}

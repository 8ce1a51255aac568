import AdapterKit
import BotTestSupport
import Foundation
import Testing

@testable import BotCore

/// Connections with TLS, to `openssl s_server`.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: TLSServer.openssl)))
struct CurlByteStreamTLSTests {
    private let streams = CurlByteStreams()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func failure(_ endpoint: ByteStreamEndpoint) async throws -> ByteStreamFailure.Code? {
        await #expect(throws: ByteStreamFailure.self) { _ = try await streams.connect(to: endpoint) }?.code
    }

    @Test func `with the right authority and name, bytes go both ways`() async throws {
        let certificate = try await TLSServer.Certificate("server", in: folder)
        let server = try await TLSServer(certificate, in: folder)
        let stream = try await streams.connect(
            to: ByteStreamEndpoint(host: "localhost", port: server.port, tls: .init(authorityFile: certificate.file)))
        try await stream.write(Array("abc\n".utf8), timeout: .seconds(10))
        #expect(try await stream.read(atMost: 10) == Array("cba\n".utf8))
        // It says goodbye properly, which is an end and no failure.
        try await stream.write(Array("CLOSE\n".utf8), timeout: .seconds(10))
        #expect(try await stream.readAll() == "")
    }

    @Test func `another name, and an unknown authority, are not trusted`() async throws {
        let certificate = try await TLSServer.Certificate("server", in: folder)
        let stranger = try await TLSServer.Certificate("stranger", in: folder)
        let server = try await TLSServer(certificate, in: folder)
        for (host, authority) in [
            ("127.0.0.1", certificate.file), ("localhost", nil), ("localhost", stranger.file),
        ] {
            let endpoint = ByteStreamEndpoint(host: host, port: server.port, tls: .init(authorityFile: authority))
            #expect(try await failure(endpoint) == .untrusted, "\(host) \(authority ?? "")")
        }
    }

    @Test func `a client certificate is shown, and missed where it is wanted`() async throws {
        let certificate = try await TLSServer.Certificate("server", in: folder)
        let client = try await TLSServer.Certificate("client", in: folder)
        let server = try await TLSServer(certificate, client: client, in: folder)
        var tls = ByteStreamEndpoint.TLS(authorityFile: certificate.file)
        tls.certificateFile = client.file
        tls.keyFile = client.key
        let stream = try await streams.connect(
            to: ByteStreamEndpoint(host: "localhost", port: server.port, tls: tls))
        try await stream.write(Array("abc\n".utf8), timeout: .seconds(10))
        #expect(try await stream.read(atMost: 10) == Array("cba\n".utf8))
        await stream.close()  // the server takes one at a time

        // With TLS 1.3 the refusal comes behind the connection.
        tls.certificateFile = nil
        tls.keyFile = nil
        let endpoint = ByteStreamEndpoint(host: "localhost", port: server.port, tls: tls)
        await #expect(throws: ByteStreamFailure.self) {
            let stream = try await streams.connect(to: endpoint)
            try await stream.write(Array("abc\n".utf8), timeout: .seconds(10))
            _ = try await stream.read(atMost: 10)
            _ = try await stream.read(atMost: 10)
        }
    }

    @Test func `files that cannot be read are the author's to mend`() async throws {
        let certificate = try await TLSServer.Certificate("server", in: folder)
        let server = try await TLSServer(certificate, in: folder)
        let missing = folder.path + "/missing.pem"
        for tls in [
            ByteStreamEndpoint.TLS(authorityFile: missing),
            .init(authorityFile: certificate.file, certificateFile: missing, keyFile: missing),
        ] {
            let endpoint = ByteStreamEndpoint(host: "localhost", port: server.port, tls: tls)
            #expect(try await failure(endpoint) == .invalidEndpoint)
        }
    }

    @Test func `a peer that never answers runs into the timeout, and can be left`() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        let endpoint = ByteStreamEndpoint(
            host: "127.0.0.1", port: Int(server.port), tls: .init(), timeout: .milliseconds(100))
        #expect(try await failure(endpoint) == .timedOut)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    var patient = endpoint
                    patient.timeout = .seconds(60)
                    _ = try await streams.connect(to: patient)
                }
            }
            group.cancelAll()
        }
    }

    @Test func `a peer without TLS is no connection`() async throws {
        let server = try ScriptedServer(greeting: [.send(Array("220 hello\r\n".utf8)), .close]) { _ in [] }
        defer { server.stop() }
        let endpoint = ByteStreamEndpoint(host: "127.0.0.1", port: Int(server.port), tls: .init())
        #expect([.unreachable, .closed].contains(try await failure(endpoint)))
    }

    @Test func `a megabyte arrives whole, though TLS holds parts of it back`() async throws {
        let certificate = try await TLSServer.Certificate("server", in: folder)
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        try text.write(toFile: folder.path + "/large.txt", atomically: true, encoding: .utf8)
        let server = try await TLSServer(certificate, serving: "-WWW", in: folder)
        let stream = try await streams.connect(
            to: ByteStreamEndpoint(host: "localhost", port: server.port, tls: .init(authorityFile: certificate.file)))
        try await stream.write(Array("GET /large.txt HTTP/1.0\r\n\r\n".utf8), timeout: .seconds(10))
        #expect(try await stream.readAll().hasSuffix("\r\n\r\n" + text))
    }
}

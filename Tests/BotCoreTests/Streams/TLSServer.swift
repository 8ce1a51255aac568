import BotTestSupport
import Foundation

/// `openssl s_server` on the loopback: with TLS, sends each line back reversed, or a file that is asked for.
final class TLSServer: Sendable {
    /// Certificates for `localhost`, made anew; each one is its own authority.
    struct Certificate: Sendable {
        var file: String
        var key: String

        init(_ name: String, in folder: TemporaryDirectory) async throws {
            file = folder.path + "/\(name).crt"
            key = folder.path + "/\(name).key"
            let result = try await ChildProcess(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", file,
                ], program: TLSServer.openssl
            ).result()
            guard result.status == .exited(0) else { throw Failure(description: result.standardError) }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static let openssl = "/usr/bin/openssl"
    let port: Int
    private let process: ChildProcess

    /// - Parameters:
    ///   - client: the only client certificate that is let in; nil: none is asked for.
    ///   - serving: `-rev` or `-WWW`, which serves the files of `folder`.
    init(
        _ certificate: Certificate, client: Certificate? = nil, serving: String = "-rev", in folder: TemporaryDirectory
    ) async throws {
        var arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate.file, "-key", certificate.key]
        arguments.append(serving)
        if let client { arguments += ["-CAfile", client.file, "-Verify", "1", "-verify_return_error"] }
        // The files of `-WWW` are looked for where it runs.
        let script = "cd \"$1\" && shift && exec \"$0\" \"$@\""
        process = try ChildProcess(["-c", script, Self.openssl, folder.path] + arguments, program: "/bin/sh")
        for await line in process.lines where line.hasPrefix("ACCEPT ") {
            guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else { break }
            self.port = port
            return
        }
        throw Failure(description: await process.result().standardError)
    }
}

import BotTestSupport
import Foundation

/// A real SMTP server on loopback, ended when it is let go. User `bot` with the password `bot-password` may sign in.
final class MailServer: Sendable {
    enum Encryption: String, Sendable {
        case startTLS, tls, none
    }

    let port: Int
    let authority: String
    private let folder: TemporaryDirectory
    private let program: ChildProcess

    /// - Parameter name: What its certificate is made out to.
    init(_ encryption: Encryption, certifiedFor name: String = "localhost") async throws {
        folder = try TemporaryDirectory()
        let (certificate, key) = (folder.path("cert.pem"), folder.path("key.pem"))
        let made = try ChildProcess(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
                "subjectAltName=DNS:\(name)", "-out", certificate, "-keyout", key,
            ], program: "/usr/bin/openssl")
        guard await made.exitStatus() == .exited(0) else {
            throw ServiceScripts.Failure(description: "openssl made no certificate")
        }
        authority = certificate
        port = ServiceProgram.port
        program = try ServiceProgram.python(Self.script, [String(port), encryption.rawValue, certificate, key])
        guard await program.lines.line(with: "ready") != nil else {
            throw ServiceScripts.Failure(description: "the mail server did not start: \(await program.result())")
        }
    }

    deinit {
        program.killAtOnce()
    }

    /// The next mail, as Python's mail package reads it.
    func nextMail() async throws -> ReceivedMail {
        for await line in program.lines {
            return try JSONDecoder().decode(ReceivedMail.self, from: Data(line.utf8))
        }
        throw ServiceScripts.Failure(description: "no mail came")
    }

    private static let script = """
        import asyncio, email, email.policy, json, ssl, sys
        from aiosmtpd.smtp import AuthResult, SMTP

        port, mode, certificate, key = int(sys.argv[1]), *sys.argv[2:]
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate, key)

        class Handler:
            async def handle_RCPT(self, server, session, envelope, address, options):
                if address.startswith("nobody@"): return "550 5.1.1 No such user"
                if address.startswith("later@"): return "450 4.2.1 Busy"
                envelope.rcpt_tos.append(address)
                return "250 OK"
            async def handle_DATA(self, server, session, envelope):
                message = email.message_from_bytes(envelope.content, policy=email.policy.default)
                parts = [part for part in message.walk() if not part.is_multipart()]
                defects = [str(defect) for part in message.walk() for defect in part.defects]
                defects += [str(defect) for value in message.values() for defect in value.defects]
                print(json.dumps({
                    "sender": envelope.mail_from, "recipients": envelope.rcpt_tos, "user": session.auth_data,
                    "headers": {name: str(value) for name, value in message.items()}, "defects": defects,
                    "isEncrypted": session.ssl is not None or mode == "tls",
                    "types": [part.get_content_type() for part in message.walk()],
                    "contents": [str(part.get_content()) for part in parts if part.get_content_maintype() == "text"],
                    "pictures": [part.get_content().hex() for part in parts if part.get_content_maintype() == "image"],
                }), flush=True)
                return "250 taken"

        def authenticate(server, session, envelope, mechanism, data):
            isKnown = (data.login, data.password) == (b"bot", b"bot-password")
            return AuthResult(success=isKnown, handled=False, auth_data=data.login.decode() if isKnown else None)

        def session():
            return SMTP(
                Handler(), hostname="localhost", authenticator=authenticate, auth_require_tls=False,
                auth_required=mode != "none", tls_context=tls if mode == "startTLS" else None,
                require_starttls=mode == "startTLS")

        async def serve():
            server = await asyncio.get_running_loop().create_server(
                session, "127.0.0.1", port, ssl=tls if mode == "tls" else None)
            print("ready", flush=True)
            await server.serve_forever()

        asyncio.run(serve())
        """
}

struct ReceivedMail: Decodable, Sendable {
    var sender: String
    var recipients: [String]
    var user: String?
    var headers: [String: String]
    var defects: [String]
    var isEncrypted: Bool
    var types: [String]
    var contents: [String]
    var pictures: [String]
}

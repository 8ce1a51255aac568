/// Hands mail to a server (SMTP, RFC 5321), so that adapters share one client.
public protocol MailTransport: Sendable {
    /// Hands one mail over, once. The server's certificate has to be valid and made out to its name.
    ///
    /// - Throws: `MailFailure`; `CancellationError` when cancelled.
    func send(_ mail: Mail) async throws
}

/// A mail with its envelope.
public struct Mail: Hashable, Sendable {
    /// Where to, and as whom.
    public struct Server: Hashable, Sendable {
        /// `smtps://HOST[:PORT]` is encrypted from the start; `smtp://HOST[:PORT]` by STARTTLS, which is insisted on unless
        /// `isEncrypted` is false.
        public var url: String
        public var isEncrypted: Bool
        public var user: String?
        public var password: Secret?
        /// PEM: trusted in place of the system's certificates.
        public var authorityFile: String?

        public init(
            url: String, isEncrypted: Bool = true, user: String? = nil, password: Secret? = nil,
            authorityFile: String? = nil
        ) {
            self.url = url
            self.isEncrypted = isEncrypted
            self.user = user
            self.password = password
            self.authorityFile = authorityFile
        }
    }

    public var server: Server
    /// Addresses without names: `bot@example.com`.
    public var sender: String
    public var recipients: [String]
    /// The whole of it (RFC 5322), lines ended by CR LF.
    public var content: [UInt8]
    /// For the whole exchange.
    public var timeout: Duration

    public init(server: Server, sender: String, recipients: [String], content: [UInt8], timeout: Duration) {
        self.server = server
        self.sender = sender
        self.recipients = recipients
        self.content = content
        self.timeout = timeout
    }
}

/// Why a mail was not handed over.
public struct MailFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// No connection: name not found, refused, no route.
        case unreachable
        /// Too slow. The mail may have been taken.
        case timedOut
        /// The connection ended before the answer came. The mail may have been taken.
        case interrupted
        /// The server's certificate is not trusted, or the server does not encrypt.
        case untrusted
        /// User and password were not accepted.
        case refusedSignIn
        /// The server's answer to a command: 4yz may pass, 5yz will not (RFC 5321, 4.2.1).
        case answered(Int)
        /// The mail could not be sent as it is: a malformed address.
        case invalidMail
    }

    public var code: Code
    /// What happened, in words; no secret in it.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}

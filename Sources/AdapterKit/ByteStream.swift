/// Opens connections for protocols other than HTTP.
public protocol ByteStreamTransport: Sendable {
    /// Connects. With TLS, the other side's certificate has to be valid and made out to the host's name.
    ///
    /// - Throws: `ByteStreamFailure`; `CancellationError` when cancelled.
    func connect(to endpoint: ByteStreamEndpoint) async throws -> any ByteStream
}

/// A connection that carries bytes both ways. It is closed when it is let go.
///
/// One task reads and another writes; each does one thing at a time.
public protocol ByteStream: Sendable {
    /// Waits for bytes; empty once the other side has sent its last.
    ///
    /// - Throws: `ByteStreamFailure`; `CancellationError` when cancelled.
    func read(atMost count: Int) async throws -> [UInt8]

    /// Returns when the system has taken all bytes, which does not say that they arrived.
    ///
    /// - Throws: `ByteStreamFailure`, `timedOut` where the other side takes nothing for so long; `CancellationError` when
    ///   cancelled. A part may have gone out by then, so the connection is of no more use.
    func write(_ bytes: [UInt8], timeout: Duration) async throws

    /// Ends the connection. What reads or writes at that time fails with `closed`. Nothing happens the second time.
    func close() async
}

/// Where a byte stream leads.
public struct ByteStreamEndpoint: Hashable, Sendable {
    /// What TLS needs beyond the system's certificates. There is no way to leave verification out.
    public struct TLS: Hashable, Sendable {
        /// PEM: trusted in place of the system's certificates.
        public var authorityFile: String?
        /// PEM: shown to the other side.
        public var certificateFile: String?
        public var keyFile: String?

        public init(authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
            self.authorityFile = authorityFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// A name or an address.
    public var host: String
    public var port: Int
    /// Nil: nothing is encrypted.
    public var tls: TLS?
    /// For name lookup, connection and TLS together.
    public var timeout: Duration

    public init(host: String, port: Int, tls: TLS?, timeout: Duration = .seconds(15)) {
        self.host = host
        self.port = port
        self.tls = tls
        self.timeout = timeout
    }
}

/// Why a byte stream came to nothing.
public struct ByteStreamFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// No connection: name not found, refused, no route.
        case unreachable
        case timedOut
        /// The connection is over.
        case closed
        /// The other side's certificate is not trusted, or made out to another name.
        case untrusted
        /// The endpoint cannot be used as it is: a port that is none, a certificate file that cannot be read.
        case invalidEndpoint
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

package import AdapterKit

/// Connections over libcurl, plain or with TLS. Each has a thread of its own, so whoever reads or writes blocks nobody.
///
/// Proxy variables of the environment are not honoured: what they name takes HTTP only.
package struct CurlByteStreams: ByteStreamTransport {
    package init() {}

    package func connect(to endpoint: ByteStreamEndpoint) async throws -> any ByteStream {
        let connection = try CurlConnection(endpoint)
        // Made first: if the caller is cancelled in between, it is let go, and closes the connection.
        let stream = CurlByteStream(connection)
        try await connection.connect()
        return stream
    }
}

/// Closes its connection when it is let go; the thread itself keeps only the connection.
private final class CurlByteStream: ByteStream {
    private let connection: CurlConnection

    init(_ connection: CurlConnection) {
        self.connection = connection
    }

    deinit {
        connection.close()
    }

    func read(atMost count: Int) async throws -> [UInt8] {
        try await connection.read(atMost: count)
    }

    func write(_ bytes: [UInt8], timeout: Duration) async throws {
        try await connection.write(bytes, timeout: timeout)
    }

    func close() async {
        connection.close()
    }
}

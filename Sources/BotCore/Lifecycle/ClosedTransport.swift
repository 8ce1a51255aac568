package import AdapterKit

/// Connects nowhere: for adapters that are made and never used.
package struct ClosedTransport: HTTPTransport, ByteStreamTransport, MailTransport {
    package init() {}

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        throw HTTPError(.closed, .notSent, host: "")
    }

    package func connect(to endpoint: ByteStreamEndpoint) async throws -> any ByteStream {
        throw ByteStreamFailure(.unreachable, "there is no network here")
    }

    package func send(_ mail: Mail) async throws {
        throw MailFailure(.unreachable, "there is no network here")
    }
}

import Synchronization

/// HTTP over libcurl: one thread drives all transfers, callers wait without blocking a thread.
///
/// Connections are reused for repeatable requests only. Proxy variables of the environment are honoured.
package final class CurlTransport: HTTPTransport {
    private let loop: CurlLoop

    /// - Parameter certificates: a file of trusted authorities in PEM form instead of the system's. The library does not
    ///   look at `CURL_CA_BUNDLE` by itself, so whoever reads the environment passes it here.
    package init(certificates: String? = nil) {
        loop = CurlLoop(certificates: certificates)
        loop.start()
    }

    deinit {
        loop.close()
    }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let transfer = CurlTransfer(request, in: loop)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { transfer.wait(on: $0) }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }

    /// Ends all requests with the error `closed`, and returns when the thread has ended. Requests sent later get the same
    /// error.
    package func shutdown() async {
        await loop.closeAndWait()
    }
}

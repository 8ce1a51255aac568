import AdapterKit
import CCurl

/// A handle that is to connect to an endpoint and do nothing else, and the words for why it did not.
struct CurlEndpoint: ~Copyable {
    let handle: UnsafeMutableRawPointer
    private let endpoint: ByteStreamEndpoint
    /// Where libcurl writes what went wrong.
    private let words: UnsafeMutablePointer<CChar>

    /// - Throws: `invalidEndpoint`.
    init(_ endpoint: ByteStreamEndpoint) throws(ByteStreamFailure) {
        guard (1...65_535).contains(endpoint.port), Self.isHost(endpoint.host), CurlLoop.libraryIsReady,
            let handle = curl_easy_init()
        else {
            throw ByteStreamFailure(.invalidEndpoint, "the address is not a host and a port from 1 to 65535")
        }
        self.handle = handle
        self.endpoint = endpoint
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configure()
    }

    deinit {
        curl_easy_cleanup(handle)
        words.deallocate()
    }

    private func configure() {
        let host = endpoint.host.utf8.contains(UInt8(ascii: ":")) ? "[\(endpoint.host)]" : endpoint.host
        let scheme = endpoint.tls == nil ? "http" : "https"
        _ = zb_curl_set_string(handle, CURLOPT_URL, "\(scheme)://\(host):\(endpoint.port)")
        _ = zb_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, scheme)
        _ = zb_curl_set_string(handle, CURLOPT_PROXY, "")
        _ = zb_curl_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
        _ = zb_curl_set_long(handle, CURLOPT_SSL_ENABLE_ALPN, 0)
        _ = zb_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = zb_curl_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        _ = zb_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, endpoint.timeout.wholeMilliseconds)
        _ = zb_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
        if let file = endpoint.tls?.authorityFile {
            _ = zb_curl_set_string(handle, CURLOPT_CAINFO, file)
            // The system's folder of certificates would be trusted beside the file.
            _ = zb_curl_set_string(handle, CURLOPT_CAPATH, nil)
        }
        if let file = endpoint.tls?.certificateFile { _ = zb_curl_set_string(handle, CURLOPT_SSLCERT, file) }
        if let file = endpoint.tls?.keyFile { _ = zb_curl_set_string(handle, CURLOPT_SSLKEY, file) }
    }

    /// What may stand in a URL as a host, and cannot be taken for anything else there.
    private static func isHost(_ text: String) -> Bool {
        let others = Array("-._:".utf8)
        return !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                    true
                default: others.contains(byte)
                }
            }
    }

    /// The socket, once connected.
    var socket: curl_socket_t {
        var socket = CURL_SOCKET_BAD
        _ = zb_curl_get_socket(handle, CURLINFO_ACTIVESOCKET, &socket)
        return socket
    }

    /// Why there is no connection, or no longer one.
    func failure(_ result: CURLcode) -> ByteStreamFailure {
        let code: ByteStreamFailure.Code =
            switch result {
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .untrusted
            case CURLE_URL_MALFORMAT, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: .invalidEndpoint
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_UNSUPPORTED_PROTOCOL: .closed
            default: .unreachable
            }
        // A certificate's names can be part of it, which are the other side's words.
        let detail = String(cString: words).printableLine.clipped(to: 200)
        return ByteStreamFailure(code, detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail)
    }
}

extension Duration {
    /// At least one, at most a day.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let whole = Int(min(max(seconds, 0), 86_400)) * 1000
        return max(1, whole + Int(attoseconds / 1_000_000_000_000_000))
    }
}

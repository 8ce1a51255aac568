import CCurl
import Synchronization

/// One request on its way: who waits for it, and what has arrived so far.
///
/// The waiting side and the loop meet in `phase` only. Everything else belongs to the loop's thread from the moment the
/// transfer is added.
final class CurlTransfer: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>

    private enum Phase {
        case new
        /// Cancelled before anybody waited: a task can be cancelled between its start and its first suspension.
        case cancelledEarly
        case waiting(CheckedContinuation<Outcome, Never>)
        case done
    }

    private let phase = Mutex(Phase.new)
    private let request: HTTPRequest
    private let loop: CurlLoop
    private let host: String
    private nonisolated(unsafe) var headerList: UnsafeMutablePointer<curl_slist>?
    nonisolated(unsafe) private(set) var handle: UnsafeMutableRawPointer?
    private nonisolated(unsafe) var headers: [(name: String, value: String)] = []
    private nonisolated(unsafe) var headerBytes = 0
    /// When the last header came.
    private nonisolated(unsafe) var headersAt: ContinuousClock.Instant?
    private nonisolated(unsafe) var body: [UInt8] = []
    private nonisolated(unsafe) var isTooLarge = false
    private nonisolated(unsafe) var room: LargeBody?
    /// Since when it waits to go on with a large body.
    nonisolated(unsafe) private(set) var waitsForRoomSince: ContinuousClock.Instant?
    /// The loop was told to end this transfer before it was told to start it.
    nonisolated(unsafe) var isEndedEarly = false

    /// All headers of an answer together.
    private static let maximumHeaderBytes = 256 << 10

    init(_ request: HTTPRequest, in loop: CurlLoop) {
        self.request = request
        self.loop = loop
        self.host = URLHost.display(of: request.url)
    }

    // MARK: - The waiting side

    func wait(on continuation: CheckedContinuation<Outcome, Never>) {
        let isCancelled = phase.withLock { phase in
            if case .cancelledEarly = phase { return true }
            phase = .waiting(continuation)
            return false
        }
        if isCancelled {
            continuation.resume(returning: .failure(failure(.cancelled, .notSent)))
        } else if !loop.add(self) {
            finish(.failure(failure(.closed, .notSent)))
        }
    }

    func cancel() {
        let isWaiting = phase.withLock { phase in
            switch phase {
            case .new:
                phase = .cancelledEarly
                return false
            case .waiting: return true
            case .cancelledEarly, .done: return false
            }
        }
        // May overtake the add; see `isEndedEarly`.
        if isWaiting { loop.cancel(self) }
    }

    /// Wakes whoever waits, once, and frees the handle.
    func finish(_ outcome: Outcome) {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
        if let headerList { curl_slist_free_all(headerList) }
        headerList = nil
        room = nil
        let continuation = phase.withLock { phase -> CheckedContinuation<Outcome, Never>? in
            defer { phase = .done }
            if case .waiting(let continuation) = phase { return continuation }
            return nil
        }
        continuation?.resume(returning: outcome)
    }

    // MARK: - On the loop's thread

    /// The configured handle; nil when the request cannot be sent, which it then has been told.
    func makeHandle(certificates: String?) -> UnsafeMutableRawPointer? {
        guard Self.areValid(request.headers), !request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            let handle = curl_easy_init()
        else {
            finish(.failure(failure(.invalidRequest, .notSent)))
            return nil
        }
        self.handle = handle
        configure(handle, certificates: certificates)
        return handle
    }

    private func configure(_ handle: UnsafeMutableRawPointer, certificates: String?) {
        _ = zb_curl_set_string(handle, CURLOPT_URL, request.url)
        _ = zb_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = zb_curl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "")
        _ = zb_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = zb_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        if let certificates { _ = zb_curl_set_string(handle, CURLOPT_CAINFO, certificates) }
        if !request.isRepeatable { _ = zb_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1) }
        // What says at once that it is too large is not waited for.
        if !request.cutsBody {
            _ = zb_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(max(request.maximumBody, 1)))
        }
        setTimeouts(handle)
        setMethodAndBody(handle)

        // `Expect:` without a value: no round trip to ask whether a body is welcome.
        headerList = curl_slist_append(nil, "Expect:")
        for (name, value) in request.headers {
            // A header without a value is written with a semicolon; with a colon it would remove a default one.
            headerList = curl_slist_append(headerList, value.isEmpty ? "\(name);" : "\(name): \(value)") ?? headerList
        }
        _ = zb_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)

        let context = Unmanaged.passUnretained(self).toOpaque()  // the loop keeps the transfer until it is finished
        _ = zb_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = zb_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.from(context)?.receiveBody(bytes, size * count) ?? 0
        }
        _ = zb_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = zb_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.from(context)?.receiveHeader(bytes, size * count) ?? 0
        }
    }

    private func setTimeouts(_ handle: UnsafeMutableRawPointer) {
        let (seconds, attoseconds) = request.timeout.components
        // At least a millisecond, as 0 would mean none; at most a day.
        let whole = Int(min(max(seconds, 0), 86_400)) * 1000
        let milliseconds = max(1, whole + Int(attoseconds / 1_000_000_000_000_000))
        _ = zb_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds)
        _ = zb_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 10_000))
        _ = zb_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        _ = zb_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, 30)
    }

    private func setMethodAndBody(_ handle: UnsafeMutableRawPointer) {
        let body = request.body ?? []
        guard request.method != .get || request.body != nil else { return }
        if request.body != nil || request.method != .delete {
            _ = zb_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                // The library copies. An empty body still needs a pointer, as none means "read it from a callback".
                var nothing: UInt8 = 0
                withUnsafeMutableBytes(of: &nothing) { empty in
                    let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) } ?? empty.baseAddress
                    _ = zb_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
                }
            }
        }
        _ = zb_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns how many bytes were taken; anything but all of them ends the transfer, or lets it wait.
    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard makeRoom(body.count + count) else { return Int(CURL_WRITEFUNC_PAUSE) }
        let left = request.maximumBody - body.count
        body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: min(count, left)))
        guard count > left else { return count }
        isTooLarge = true
        return 0
    }

    /// False when the transfer has to wait: what it was to take comes again then.
    private func makeRoom(_ size: Int) -> Bool {
        guard request.isRepeatable, room == nil, size > LargeBody.threshold else { return true }
        room = loop.makeRoom()
        guard room != nil else {
            waitsForRoomSince = .now
            return false
        }
        // All at once, as what grows by doubling is there twice for a while.
        body.reserveCapacity(request.maximumBody)
        return true
    }

    /// Goes on where it waits for room.
    func resume() {
        waitsForRoomSince = nil
        if let handle { curl_easy_pause(handle, CURLPAUSE_CONT) }
    }

    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, headerBytes + count <= Self.maximumHeaderBytes else {
            isTooLarge = true
            return 0
        }
        headerBytes += count
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        if line.starts(with: "HTTP/".utf8) {
            headers = []  // an interim response came before this one
            headersAt = nil
        } else if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            if headersAt == nil { headersAt = .now }
        } else if body.isEmpty, let header = HeaderLine.parse(line) {
            headers.append(header)
        }
        return count
    }

    func result(_ code: CURLcode) -> Outcome {
        let isCut = isTooLarge && request.cutsBody && headersAt != nil
        guard code == CURLE_OK || isCut, let handle else { return .failure(failure(code)) }
        // To libcurl a connection that ends between two headers is a complete answer.
        guard let headersAt else { return .failure(failure(.cut)) }
        var status = 0
        _ = zb_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return .success(
            HTTPResponse(
                status: status, headers: headers, body: body, bodyTime: .now - headersAt, room: room))
    }

    // MARK: - Errors

    /// An error that says by itself whether the request can have reached the server.
    func failure(_ code: HTTPError.Code, _ reach: HTTPError.Reach? = nil, detail: String = "") -> HTTPError {
        HTTPError(code, reach ?? (hasSentBytes ? .maybeSent : .notSent), host: host, detail: detail)
    }

    private func failure(_ code: CURLcode) -> HTTPError {
        let detail = String(cString: curl_easy_strerror(code))
        if isTooLarge { return failure(.tooLarge, .maybeSent) }
        return switch code {
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: failure(.invalidRequest, detail: detail)
        // Either the URL's scheme or, once something was sent, the server's "HTTP/0.9".
        case CURLE_UNSUPPORTED_PROTOCOL: failure(hasSentBytes ? .garbled : .invalidRequest, detail: detail)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: failure(.resolve, .notSent)
        case CURLE_COULDNT_CONNECT: failure(.connect, .notSent)
        case CURLE_FILESIZE_EXCEEDED: failure(.tooLarge, .maybeSent)
        case CURLE_OPERATION_TIMEDOUT: failure(.timeout)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            failure(.tls, detail: detail)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            failure(.garbled, detail: detail)
        default: failure(.cut, detail: detail)
        }
    }

    private var hasSentBytes: Bool {
        guard let handle else { return false }
        var count = 0
        _ = zb_curl_get_long(handle, CURLINFO_REQUEST_SIZE, &count)
        return count > 0
    }

    /// A control character in a header would let its value write headers of its own.
    private static func areValid(_ headers: [(name: String, value: String)]) -> Bool {
        headers.allSatisfy { name, value in
            !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
                && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }
}

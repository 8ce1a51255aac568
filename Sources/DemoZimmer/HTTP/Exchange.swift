import CMicroHTTPD

/// One request while it is on the daemon's thread, from its first line until it is completed.
final class Exchange {
    enum Stage {
        case headersPending
        case receiving(method: String, headers: [HTTPHeader])
        case held(HTTPResponse)
        case done
    }

    let target: String
    var stage = Stage.headersPending
    var body: [UInt8] = []
    var isTooLarge = false

    init(target: String) {
        self.target = target
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        if body.count + bytes.count > HTTPServer.largestBody {
            isTooLarge = true
            body = []
        }
        if !isTooLarge { body += bytes }
    }
}

/// What libmicrohttpd calls.
extension Exchange {
    static let begin: zb_mhd_target_callback = { _, target, _ in
        Unmanaged.passRetained(Exchange(target: String(cString: target))).toOpaque()
    }

    static let complete: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let exchange = state?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(exchange).release()
        state?.pointee = nil
    }

    /// libmicrohttpd calls this once with the headers, then for every piece of the body, then once more to be answered;
    /// and again for a connection that was held.
    static let receive: MHD_AccessHandlerCallback = { context, connection, _, method, _, upload, uploadSize, state in
        guard let context, let connection, let method, let uploadSize, let pointer = state?.pointee else { return .NO }
        let core = Unmanaged<HTTPServerCore>.fromOpaque(context).takeUnretainedValue()
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()

        switch exchange.stage {
        case .headersPending:
            exchange.stage = .receiving(method: String(cString: method), headers: headers(of: connection))
            return .YES
        case .receiving where uploadSize.pointee > 0:
            exchange.append(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
            uploadSize.pointee = 0
            return .YES
        case .receiving(let method, let headers):
            return answer(exchange, method: method, headers: headers, on: connection, core: core)
        case .held(let response):
            exchange.stage = .done
            return core.isClosed ? .NO : queue(response, on: connection)
        case .done:
            return .NO
        }
    }
}

private func answer(
    _ exchange: Exchange, method: String, headers: [HTTPHeader], on connection: OpaquePointer, core: HTTPServerCore
) -> MHD_Result {
    exchange.stage = .done
    if exchange.isTooLarge {
        return queue(HTTPResponse(status: 413), on: connection)
    }
    let request = HTTPRequest(method: method, target: exchange.target, headers: headers, body: exchange.body)
    guard let request else { return queue(HTTPResponse(status: 400), on: connection) }
    let (reply, settled) = core.handler(request)
    defer { settled() }
    switch reply {
    case .send(let response):
        return queue(response, on: connection)
    case .close:
        return .NO
    case .hold(let response, let duration):
        exchange.stage = .held(response)
        return core.hold(connection, for: duration) ? .YES : .NO
    }
}

private func headers(of connection: OpaquePointer) -> [HTTPHeader] {
    var headers: [HTTPHeader] = []
    withUnsafeMutablePointer(to: &headers) { list in
        _ = MHD_get_connection_values(
            connection, .HEADER_KIND,
            { list, _, name, value in
                guard let name else { return .YES }
                let header = HTTPHeader(String(cString: name), value.map { String(cString: $0) } ?? "")
                list?.assumingMemoryBound(to: [HTTPHeader].self).pointee.append(header)
                return .YES
            }, list)
    }
    return headers
}

private func queue(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
    guard let built = build(response) else { return .NO }
    defer { MHD_destroy_response(built) }
    for header in response.headers {
        _ = MHD_add_response_header(built, header.name, header.value)
    }
    return MHD_queue_response(connection, UInt32(response.status), built)
}

private func build(_ response: HTTPResponse) -> OpaquePointer? {
    if let cut = response.cutAfter, cut < response.body.count {
        let rest = Unmanaged.passRetained(CutBody(Array(response.body.prefix(max(0, cut)))))
        return MHD_create_response_from_callback(
            UInt64(response.body.count), 4096, CutBody.read, rest.toOpaque(), CutBody.free)
    }
    var body = response.body
    return body.withUnsafeMutableBytes {
        MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
    }
}

/// The beginning of a body whose end never comes.
private final class CutBody {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static let read: MHD_ContentReaderCallback = { context, position, buffer, capacity in
        guard let context, let buffer else { return zb_mhd_end_with_error() }
        let body = Unmanaged<CutBody>.fromOpaque(context).takeUnretainedValue().bytes
        let rest = body.dropFirst(Int(clamping: position)).prefix(capacity)
        guard !rest.isEmpty else { return zb_mhd_end_with_error() }
        UnsafeMutableRawBufferPointer(start: buffer, count: capacity).copyBytes(from: rest)
        return rest.count
    }

    static let free: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        Unmanaged<CutBody>.fromOpaque(context).release()
    }
}

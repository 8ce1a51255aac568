private import CMicroHTTPD
import Dispatch
import Synchronization

/// An HTTP server on the loopback interface: libmicrohttpd with one thread of its own.
///
/// The handler runs on that thread, one request after another, so it is quick and never waits.
final class HTTPServer: Sendable {
    /// What to answer, and what to do once that is on its way or held: who is told then finds it so.
    typealias Handler = @Sendable (HTTPRequest) -> (reply: HTTPReply, settled: @Sendable () -> Void)

    /// Request bodies beyond this are answered with 413 and never kept.
    static let largestBody = 4 << 20

    let port: UInt16
    private let core: Core
    private let daemon: Mutex<DaemonHandle?>

    /// Starts listening. Port 0 takes a free one.
    init(port: UInt16 = 0, handler: @escaping Handler) throws(HTTPServerError) {
        let core = Core(handler: handler)
        let context = Unmanaged.passUnretained(core).toOpaque()
        guard let daemon = zb_mhd_start(port, receive, begin, complete, context) else {
            throw HTTPServerError.cannotListen(port: port)
        }
        self.core = core
        self.port = zb_mhd_port(daemon)
        self.daemon = Mutex(DaemonHandle(daemon))
    }

    /// Answers what is under way, drops what is held, and closes. May be called again. Never call it from a handler.
    func stop() {
        // Taken out before stopping: answers still run on the daemon's thread while it winds down.
        guard let handle = daemon.withLock({ $0.take() }) else { return }
        core.close()
        MHD_stop_daemon(handle.pointer)
    }

    /// Sends every answer that is being held back.
    func releaseHeld() {
        core.releaseAll()
    }

    deinit {
        stop()
    }
}

package enum HTTPServerError: Error, Hashable, CustomStringConvertible {
    case cannotListen(port: UInt16)

    package var description: String {
        switch self {
        case .cannotListen(let port): "cannot listen on 127.0.0.1:\(port): choose another port, or 0 for a free one"
        }
    }
}

private struct DaemonHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }
}

/// What the C callbacks reach through their context pointer. The server keeps it alive longer than the daemon.
private final class Core: Sendable {
    let handler: HTTPServer.Handler
    private let held = Mutex<HeldConnections>(HeldConnections())

    init(handler: @escaping HTTPServer.Handler) {
        self.handler = handler
    }

    /// Suspends a connection until it is released. False once the server is stopping, when nothing is held any more.
    func hold(_ connection: OpaquePointer, for duration: Duration?) -> Bool {
        let ticket = held.withLock { held -> Int? in
            guard !held.isClosed else { return nil }
            MHD_suspend_connection(connection)
            held.next += 1
            held.connections[held.next] = DaemonHandle(connection)
            return held.next
        }
        guard let ticket else { return false }
        if let duration {
            let milliseconds = Int(clamping: duration.wholeMilliseconds)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
                self?.release(ticket)
            }
        }
        return true
    }

    private func release(_ ticket: Int) {
        held.withLock { held in
            guard let connection = held.connections.removeValue(forKey: ticket) else { return }
            MHD_resume_connection(connection.pointer)
        }
    }

    var isClosed: Bool { held.withLock { $0.isClosed } }

    func close() {
        held.withLock { $0.isClosed = true }
        releaseAll()
    }

    func releaseAll() {
        held.withLock { held in
            for connection in held.connections.values { MHD_resume_connection(connection.pointer) }
            held.connections = [:]
        }
    }

    private struct HeldConnections {
        var connections: [Int: DaemonHandle] = [:]
        var next = 0
        var isClosed = false
    }
}

/// One request while it is on the daemon's thread, from its first line until it is completed.
private final class Exchange {
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

private func begin(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>, connection: OpaquePointer
) -> UnsafeMutableRawPointer? {
    Unmanaged.passRetained(Exchange(target: String(cString: target))).toOpaque()
}

private func complete(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let exchange = state?.pointee else { return }
    Unmanaged<Exchange>.fromOpaque(exchange).release()
    state?.pointee = nil
}

/// libmicrohttpd calls this once with the headers, then for every piece of the body, then once more to be answered;
/// and again for a connection that was held.
private func receive(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let method, let uploadSize, let pointer = state?.pointee else { return .NO }
    let core = Unmanaged<Core>.fromOpaque(context).takeUnretainedValue()
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

private func answer(
    _ exchange: Exchange, method: String, headers: [HTTPHeader], on connection: OpaquePointer, core: Core
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

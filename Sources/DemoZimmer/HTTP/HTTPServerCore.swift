import CMicroHTTPD
import Dispatch
import Synchronization

/// What the C callbacks reach through their context pointer. The server keeps it alive longer than the daemon.
final class HTTPServerCore: Sendable {
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

/// A pointer of libmicrohttpd's. The library guards what is behind it.
struct DaemonHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }
}

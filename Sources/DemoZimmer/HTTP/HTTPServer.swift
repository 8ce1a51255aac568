import CMicroHTTPD
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
    private let core: HTTPServerCore
    private let daemon: Mutex<DaemonHandle?>

    /// Starts listening. Port 0 takes a free one.
    init(port: UInt16 = 0, handler: @escaping Handler) throws(HTTPServerError) {
        let core = HTTPServerCore(handler: handler)
        let context = Unmanaged.passUnretained(core).toOpaque()
        guard let daemon = zb_mhd_start(port, Exchange.receive, Exchange.begin, Exchange.complete, context) else {
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

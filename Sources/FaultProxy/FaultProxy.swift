import Foundation
import Synchronization

/// Stands between a client and a server on the loopback interface, and does to requests what networks do: start here.
///
/// It knows as much of HTTP/1.1 as it takes to tell requests apart. What befalls the n-th of them is decided by a
/// `FaultPlan` and its seed.
package final class FaultProxy: Sendable {
    package let port: UInt16
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Names its fault in a request that meets one and goes on.
    package static let header = "x-fault"

    let upstream: UInt16
    /// Seconds that 429 asks for.
    let wait: Int
    /// Seconds between two bytes of `slowBody`.
    let drip: Double
    /// Seconds from the end of the connection until a late request goes on.
    private let lateness: Double
    /// Keeps the port while nobody listens.
    private let reservation: Socket
    private let state: Mutex<State>

    /// A request that met a fault.
    package struct Strike: Sendable, Hashable {
        package var fault: ProxyFault
        package var method: String
        package var target: String
    }

    private struct State {
        var plan: FaultPlan
        var requests = 0
        /// Those that are over.
        var strikes: [Strike] = []
        /// Requests with a fault that is not over.
        var pending = 0
        /// Told when none is left.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var listener: Socket?
        var open: Set<Int32> = []
        /// Late requests are kept back.
        var keepsLate: Bool
        var isStopped = false
    }

    /// Told when late requests may go on.
    private let release = NSCondition()

    /// For how long nobody listens after `refused`.
    private static let absence = 0.05

    /// Starts listening on a free port.
    ///
    /// - Parameters:
    ///   - upstream: the server's port on 127.0.0.1.
    ///   - wait: seconds that a 429 asks for.
    ///   - drip: seconds between two bytes of a slow answer.
    ///   - lateness: seconds after which a late request goes on.
    ///   - keepsLate: late requests wait for `releaseLate` before that.
    package init(
        to upstream: UInt16, plan: FaultPlan = FaultPlan(), wait: Int = 1, drip: Double = 1, lateness: Double = 0,
        keepsLate: Bool = false
    ) throws {
        self.upstream = upstream
        self.wait = wait
        self.drip = drip
        self.lateness = lateness
        reservation = try Socket.bound(to: 0)
        port = reservation.port
        state = Mutex(State(plan: plan, keepsLate: keepsLate))
        try listen()
    }

    deinit {
        stop()
        reservation.close()
    }

    /// What happens to requests from now on.
    package var plan: FaultPlan {
        get { state.withLock { $0.plan } }
        set { state.withLock { $0.plan = newValue } }
    }

    /// How many requests came.
    package var requests: Int { state.withLock { $0.requests } }
    /// The requests that met a fault, in the order in which they ended.
    package var strikes: [Strike] { state.withLock { $0.strikes } }
    /// Whether a request is still on its way, or an answer.
    package var isBusy: Bool { state.withLock { $0.pending > 0 } }

    /// Returns when none is on its way any more.
    package func rest() async {
        await withCheckedContinuation { continuation in
            let isAtRest = state.withLock { state in
                if state.pending > 0 { state.waiting.append(continuation) }
                return state.pending == 0
            }
            if isAtRest { continuation.resume() }
        }
    }

    /// Lets late requests go on, those that come after this too.
    package func releaseLate() {
        state.withLock { $0.keepsLate = false }
        tellLate()
    }

    private func tellLate() {
        release.lock()
        release.broadcast()
        release.unlock()
    }

    /// Ends all connections, and listens no more. May be called again.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            state.listener?.interrupt()
            for descriptor in state.open { Socket.interrupt(descriptor) }
        }
        tellLate()
    }

    // MARK: - For connections

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func draw(_ method: String, _ target: String) -> ProxyFault? {
        state.withLock { state in
            state.requests += 1
            let fault = state.plan.draw(method, target)
            if fault != nil { state.pending += 1 }
            return fault
        }
    }

    func ended(_ fault: ProxyFault, _ method: String, _ target: String) {
        let waiting = state.withLock { state in
            state.pending -= 1
            state.strikes.append(Strike(fault: fault, method: method, target: target))
            guard state.pending == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Nil when the proxy has stopped.
    func open(_ socket: Socket?) -> Socket? {
        guard let socket else { return nil }
        let isOpen = state.withLock { state in
            if !state.isStopped { state.open.insert(socket.descriptor) }
            return !state.isStopped
        }
        if !isOpen { socket.close() }
        return isOpen ? socket : nil
    }

    func close(_ socket: Socket) {
        // Under the lock: its number may be another's as soon as it is closed.
        state.withLock { state in
            state.open.remove(socket.descriptor)
            socket.close()
        }
    }

    func waitUntilReleased() {
        release.lock()
        while state.withLock({ $0.keepsLate && !$0.isStopped }) { release.wait() }
        release.unlock()
        Thread.sleep(forTimeInterval: lateness)
    }

    /// Listens no more, for a moment.
    func refuse() {
        state.withLock { $0.listener?.interrupt() }
    }

    // MARK: - Listening

    private func listen() throws {
        let listener = try Socket.bound(to: port)
        do {
            try listener.listen()
        } catch {
            listener.close()
            throw error
        }
        let isWanted = state.withLock { state in
            if !state.isStopped { state.listener = listener }
            return !state.isStopped
        }
        guard isWanted else { return listener.close() }
        Thread.detachNewThread { [weak self] in
            while let client = listener.accept() {
                guard let self, let client = self.open(client) else { break }
                Thread.detachNewThread {
                    ProxyConnection(client: client, proxy: self).serve()
                    self.close(client)
                }
            }
            guard let self else { return listener.close() }
            self.state.withLock { state in
                state.listener = nil
                listener.close()
            }
            Thread.sleep(forTimeInterval: Self.absence)
            try? self.listen()
        }
    }
}

import Glibc

/// A stream socket on the loopback interface, used by one thread at a time but for `interrupt`.
struct Socket: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ what: String) {
            description = "\(what): \(String(cString: strerror(errno)))"
        }
    }

    let descriptor: Int32

    init() throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure("no socket") }
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    // MARK: - Listening

    /// A socket that has a port to itself and others of this process that ask for it.
    ///
    /// While none of them listens, whoever connects is refused.
    static func bound(to port: UInt16) throws(Failure) -> Socket {
        let socket = try Socket()
        socket.set(SO_REUSEADDR)
        socket.set(SO_REUSEPORT)
        guard Socket.withAddress(port, { bind(socket.descriptor, $0, $1) }) == 0 else {
            defer { socket.close() }
            throw Failure("cannot have port \(port)")
        }
        return socket
    }

    func listen() throws(Failure) {
        guard Glibc.listen(descriptor, 64) == 0 else { throw Failure("cannot listen") }
    }

    /// The next client; nil when it was interrupted.
    func accept() -> Socket? {
        while true {
            let client = Glibc.accept(descriptor, nil, nil)
            if client >= 0 {
                let socket = Socket(descriptor: client)
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                socket.setNoDelay()
                return socket
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    // MARK: - Talking

    static func connected(to port: UInt16) throws(Failure) -> Socket {
        let socket = try Socket()
        guard Socket.withAddress(port, { connect(socket.descriptor, $0, $1) }) == 0 else {
            defer { socket.close() }
            throw Failure("cannot connect to port \(port)")
        }
        socket.setNoDelay()
        return socket
    }

    /// What is there, as soon as something is; nothing at the end, or when it was interrupted.
    func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var result: Int
            repeat { result = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }

    /// False when the other side is gone.
    @discardableResult
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for the other side, which has nothing to say, to go; says whether it did.
    func isGone(within seconds: Double) -> Bool {
        var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&events, 1, Int32(seconds * 1_000)) != 0
    }

    /// Ends whatever a thread waits for on it. From any thread, while it is open.
    func interrupt() { Self.interrupt(descriptor) }

    static func interrupt(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func close() {
        _ = Glibc.close(descriptor)
    }

    /// Lets the close that follows be a reset.
    func resetsAtClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private func set(_ option: Int32) {
        var yes: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    }

    private func setNoDelay() {
        var yes: Int32 = 1
        _ = setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

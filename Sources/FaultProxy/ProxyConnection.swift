import Foundation

/// A client's connection: one request after the other, each on a connection of its own to the server behind.
struct ProxyConnection {
    let client: Socket
    let proxy: FaultProxy

    /// Until the client is gone or a fault ends it.
    func serve() {
        var rest: [UInt8] = []
        while let request = HTTPMessage.request(from: client, &rest) {
            guard let (method, target) = request.requestLine else { return }
            guard let fault = proxy.draw(method, target) else {
                guard let answer = forward(request) else { return }
                guard client.write(answer.bytes(closing: false)) else { return }
                continue
            }
            strike(fault, request)
            proxy.ended(fault, method, target)
            return
        }
    }

    private func forward(_ request: HTTPMessage) -> HTTPMessage? {
        guard let server = proxy.open(try? Socket.connected(to: proxy.upstream)) else { return nil }
        defer { proxy.close(server) }
        guard server.write(request.bytes(closing: true)) else { return nil }
        return HTTPMessage.answer(from: server)
    }

    /// What the fault does. The connection ends after it.
    private func strike(_ fault: ProxyFault, _ request: HTTPMessage) {
        let request = request.marked(fault)
        let answer = fault.hasEffect && fault != .late ? forward(request) : nil
        switch fault {
        case .refused:
            proxy.refuse()
            client.resetsAtClose()
        case .reset: client.resetsAtClose()
        case .closedBefore, .closedAfter: break
        case .timeout: waitForEnd()
        case .late:
            client.interrupt()
            proxy.waitUntilReleased()
            _ = forward(request)
        case .truncatedBody:
            guard var answer else { return }
            let whole = answer.body.count
            answer.body = Array(answer.body.prefix(whole / 2))
            client.write(answer.bytes(closing: true))
        case .hugeBody: writeHugeBody()
        case .slowBody: writeSlowly(answer)
        case .serverError, .serverErrorAfter, .badGateway, .badGatewayAfter, .garbage, .halfHeader, .busyByHeader,
            .busyByBody, .loginRedirect, .loginPage:
            client.write((fault.answer(wait: proxy.wait) ?? "").utf8)
        }
    }

    private func waitForEnd() {
        while !client.read().isEmpty {}
    }

    private func writeHugeBody() {
        let size = 64 << 20
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(size)\r\n\r\n"
        guard client.write(head.utf8) else { return }
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 16)
        for _ in 0..<(size / piece.count) where !client.write(piece) { return }
    }

    private func writeSlowly(_ answer: HTTPMessage?) {
        for byte in answer?.bytes(closing: true) ?? [] {
            guard client.write([byte]), !client.isGone(within: proxy.drip), !proxy.isStopped else { return }
        }
    }
}

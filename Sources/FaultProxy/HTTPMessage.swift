/// A request or an answer as it stands on the wire: as much of HTTP/1.1 as a proxy on the loopback interface has to know.
struct HTTPMessage {
    /// The first line and the headers, without the empty line.
    var head: [Substring]
    var body: [UInt8]

    /// More is not read.
    private static let longestHead = 64 << 10
    private static let longestBody = 64 << 20

    /// Method and target of a request.
    var requestLine: (method: String, target: String)? {
        let parts = (head.first ?? "").split(separator: " ")
        return parts.count == 3 ? (String(parts[0]), String(parts[1])) : nil
    }

    /// On the wire, for a connection that ends after it or goes on.
    func bytes(closing: Bool) -> [UInt8] {
        let kept = head.filter { !$0.lowercased().hasPrefix("connection:") }
        let lines = kept + (closing ? ["Connection: close"] : []) + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + body
    }

    /// The same, with a header that says which fault it met: a server's record then tells what became of its answer.
    func marked(_ fault: ProxyFault) -> HTTPMessage {
        HTTPMessage(head: head + ["\(FaultProxy.header): \(fault.rawValue)"], body: body)
    }

    /// Reads one request from a client; nil when the client is gone, or sends what this proxy does not understand.
    ///
    /// - Parameter rest: what was read beyond the message before; kept for the next one.
    static func request(from socket: Socket, _ rest: inout [UInt8]) -> HTTPMessage? {
        guard var message = head(from: socket, &rest) else { return nil }
        guard !message.has("transfer-encoding"), let length = message.contentLength, length <= longestBody else {
            return nil
        }
        while rest.count < length {
            let more = socket.read()
            if more.isEmpty { return nil }
            rest += more
        }
        message.body = Array(rest.prefix(length))
        rest.removeFirst(length)
        return message
    }

    /// Reads one answer up to the end of its connection.
    static func answer(from socket: Socket) -> HTTPMessage? {
        var rest: [UInt8] = []
        guard var message = head(from: socket, &rest) else { return nil }
        while rest.count <= longestBody, case let more = socket.read(), !more.isEmpty { rest += more }
        message.body = rest
        return message
    }

    private static func head(from socket: Socket, _ rest: inout [UInt8]) -> HTTPMessage? {
        var searched = 0
        while true {
            if let end = endOfHead(in: rest, from: searched) {
                let text = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 4)
                return HTTPMessage(head: text.split(separator: "\r\n"), body: [])
            }
            searched = max(0, rest.count - 3)
            let more = socket.read()
            guard !more.isEmpty, rest.count + more.count <= longestHead + (1 << 16) else { return nil }
            rest += more
        }
    }

    /// Where the empty line begins.
    private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= start + 4 else { return nil }
        return (start...(bytes.count - 4)).first { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
    }

    /// Zero when it is not said; nil when it is no number.
    private var contentLength: Int? {
        guard let line = header("content-length") else { return 0 }
        let value = line.split(separator: ":", maxSplits: 1).last?.drop { $0 == " " } ?? ""
        return Int(value).flatMap { $0 < 0 ? nil : $0 }
    }

    private func has(_ name: String) -> Bool { header(name) != nil }

    private func header(_ name: String) -> Substring? {
        head.dropFirst().first { $0.lowercased().hasPrefix("\(name):") }
    }
}

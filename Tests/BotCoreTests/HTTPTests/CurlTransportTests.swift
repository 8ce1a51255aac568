import BotCore
import BotTestSupport
import Testing

@Suite struct CurlTransportTests {
    /// A transport and a server for one test, both ended behind it.
    private func exchange<Result>(
        _ answer: @escaping ScriptedServer.Answer,
        _ body: (CurlTransport, ScriptedServer) async throws -> Result
    ) async throws -> Result {
        let server = try ScriptedServer(answer)
        let transport = CurlTransport()
        defer { server.stop() }
        let result = try await body(transport, server)
        await transport.shutdown()
        return result
    }

    private func get(_ url: String, timeout: Duration = .seconds(600), maximumBody: Int = 1 << 20) -> HTTPRequest {
        HTTPRequest(.get, url, timeout: timeout, isRepeatable: true, maximumBody: maximumBody)
    }

    private func failure(
        _ answer: @escaping ScriptedServer.Answer, _ request: (String) -> HTTPRequest
    ) async throws -> HTTPError {
        try await exchange(answer) { transport, server in
            try await #require(throws: HTTPError.self) { try await transport.send(request(server.url)) }
        }
    }

    @Test func `an answer arrives with its status, headers and body`() async throws {
        let bytes = ScriptedServer.response(404, headers: [("X-Thing", " a: b \u{e9} ")], body: "no such row")
        try await exchange(ScriptedServer.always(.send(bytes))) { transport, server in
            let response = try await transport.send(get(server.url + "/x"))
            #expect(response.status == 404)
            #expect(response.header("x-thing") == "a: b \u{e9}")
            #expect(response.body == Array("no such row".utf8))
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
    func `a method goes out with its body and headers, and nothing is asked first`(method: HTTPRequest.Method)
        async throws
    {
        try await exchange(ScriptedServer.always(.send(ScriptedServer.response()))) { transport, server in
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
            let request = HTTPRequest(
                method, server.url + "/a?b=c", headers: [("X-One", "1"), ("X-Empty", "")], body: body,
                isRepeatable: false)
            _ = try await transport.send(request)
            let received = try #require(server.requests.first)
            #expect(received.method == method.rawValue)
            #expect(received.target == "/a?b=c")
            #expect(received.body == body)
            #expect(received.header("x-one") == "1")
            #expect(received.header("x-empty") == "")
            #expect(received.header("expect") == nil)
        }
    }

    @Test func `an empty body is sent as one`() async throws {
        try await exchange(ScriptedServer.always(.send(ScriptedServer.response()))) { transport, server in
            _ = try await transport.send(HTTPRequest(.post, server.url, body: [], isRepeatable: false))
            _ = try await transport.send(HTTPRequest(.post, server.url, isRepeatable: false))
            #expect(server.requests.map { $0.header("content-length") } == ["0", "0"])
        }
    }

    @Test func `a redirect is an answer and is not followed`() async throws {
        let bytes = ScriptedServer.response(302, headers: [("Location", "/login")])
        try await exchange(ScriptedServer.always(.send(bytes))) { transport, server in
            let response = try await transport.send(get(server.url))
            #expect(response.status == 302)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `headers of an interim response are not the answer's`() async throws {
        let bytes = Array("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n".utf8) + ScriptedServer.response(body: "done")
        try await exchange(ScriptedServer.always(.send(bytes))) { transport, server in
            let response = try await transport.send(get(server.url))
            #expect(response.status == 200)
            #expect(response.header("x-early") == nil)
        }
    }

    @Test func `how long a body took after the headers is known`() async throws {
        let answer = ScriptedServer.response(body: "late")
        try await exchange(
            ScriptedServer.always(.send(answer.dropLast()), .pause, .send(answer.suffix(1)))
        ) { transport, server in
            let response = try await transport.send(get(server.url))
            #expect(response.bodyTime > .milliseconds(100))
        }
    }

    // MARK: - Connections

    @Test func `repeatable requests share a connection`() async throws {
        try await exchange(ScriptedServer.always(.send(ScriptedServer.response()))) { transport, server in
            for _ in 0..<3 { _ = try await transport.send(get(server.url)) }
            #expect(Set(server.requests.map(\.connection)) == [0])
        }
    }

    @Test func `a request that must not be repeated arrives once, although its connection dies unanswered`()
        async throws
    {
        let answer: ScriptedServer.Answer = { request in
            request.method == "GET" ? [.send(ScriptedServer.response())] : [.close]
        }
        try await exchange(answer) { transport, server in
            _ = try await transport.send(get(server.url))
            let error = await #expect(throws: HTTPError.self) {
                try await transport.send(HTTPRequest(.post, server.url, body: [1], isRepeatable: false))
            }
            #expect(error?.code == .cut)
            #expect(error?.reach == .maybeSent)
            #expect(server.requests.map(\.method) == ["GET", "POST"])
        }
    }

    private let echo: ScriptedServer.Answer = { [.send(ScriptedServer.response(body: $0.target))] }

    @Test func `many requests at once all get their own answer`() async throws {
        try await exchange(echo) { transport, server in
            let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let response = try await transport.send(get("\(server.url)/\(number)"))
                        return (number, String(decoding: response.body, as: UTF8.self))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(answers == Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, "/\($0)") }))
        }
    }

    // MARK: - Failures

    @Test func `a refused connection sent nothing`() async throws {
        let transport = CurlTransport()
        let error = await #expect(throws: HTTPError.self) { try await transport.send(get("http://127.0.0.1:1/")) }
        #expect(error?.code == .connect)
        #expect(error?.reach == .notSent)
        #expect(error?.host == "127.0.0.1:1")
    }

    @Test func `a name without an address sent nothing`() async throws {
        let transport = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await transport.send(get("http://no-such-host.invalid/"))
        }
        #expect(error?.code == .resolve)
        #expect(error?.reach == .notSent)
    }

    @Test func `a server that does not speak TLS got no request`() async throws {
        let server = try ScriptedServer(greeting: [.send(Array("220 mail.example.com ESMTP\r\n".utf8)), .close]) { _ in
            []
        }
        defer { server.stop() }
        let url = server.url.replacing("http:", with: "https:")
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(get(url)) }
        #expect(error?.code == .tls)
        #expect(error?.reach == .notSent)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", HTTPError.Code.cut), ("", .cut),
        ("HTTP/1.1 200 OK\r\nContent-Len", .cut), ("SSH-2.0-OpenSSH_9.2\r\n", .garbled),
    ])
    func `an answer that is none may have been acted on`(sent: String, code: HTTPError.Code) async throws {
        let error = try await failure(ScriptedServer.always(.send(Array(sent.utf8)), .close)) { get($0) }
        #expect(error.code == code)
        #expect(error.reach == .maybeSent)
    }

    @Test func `a connection that is reset may have been acted on`() async throws {
        let error = try await failure(ScriptedServer.always(.reset)) {
            HTTPRequest(.post, $0, body: [1], isRepeatable: false)
        }
        #expect(error.code == .cut)
        #expect(error.reach == .maybeSent)
    }

    @Test func `silence ends at the timeout`() async throws {
        let error = try await failure(ScriptedServer.always(.hold)) { get($0, timeout: .milliseconds(50)) }
        #expect(error.code == .timeout)
        #expect(error.reach == .maybeSent)
    }

    @Test(arguments: [true, false])
    func `an answer larger than allowed is cut off while it arrives`(isAnnounced: Bool) async throws {
        let head = isAnnounced ? "Content-Length: 2000000" : "Connection: close"
        let bytes = Array("HTTP/1.1 200 OK\r\n\(head)\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: 2_000_000)
        let error = try await failure(ScriptedServer.always(.send(bytes), .close)) { get($0, maximumBody: 1000) }
        #expect(error.code == .tooLarge)
    }

    @Test func `of a long answer whose status is what matters the beginning is given`() async throws {
        let bytes =
            Array("HTTP/1.1 202 Accepted\r\nConnection: close\r\n\r\n".utf8) + [UInt8](repeating: 0x61, count: 200_000)
        try await exchange(ScriptedServer.always(.send(bytes), .close)) { transport, server in
            var request = get(server.url, maximumBody: 1000)
            request.cutsBody = true
            let response = try await transport.send(request)
            #expect(response.status == 202)
            #expect(response.body == [UInt8](repeating: 0x61, count: 1000))
        }
    }

    @Test func `headers without end are cut off`() async throws {
        let line = Array("X-Long: \(String(repeating: "x", count: 1000))\r\n".utf8)
        let bytes = Array("HTTP/1.1 200 OK\r\n".utf8) + (0..<400).flatMap { _ in line }
        let error = try await failure(ScriptedServer.always(.send(bytes), .close)) { get($0) }
        #expect(error.code == .tooLarge)
    }

    @Test(arguments: ["ftp://example.com/", "file:///etc/passwd", "not a url", "", "http://a b/"])
    func `what is no HTTP URL is not sent`(url: String) async throws {
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(get(url)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.reach == .notSent)
    }

    @Test(arguments: [("X-A", "1\r\nX-B: 2"), ("X-A", "\u{0}"), ("X A", "1"), ("", "1"), ("X-A:", "1")])
    func `a header that would be two is not sent`(name: String, value: String) async throws {
        let request = HTTPRequest(.get, "http://127.0.0.1:1/", headers: [(name, value)], isRepeatable: true)
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
        #expect(error?.code == .invalidRequest)
    }

    // MARK: - Cancelling and ending

    @Test func `a cancelled task ends its request at once`() async throws {
        try await exchange(ScriptedServer.always(.hold)) { transport, server in
            let task = Task { try await transport.send(get(server.url)) }
            await server.received(1)
            task.cancel()
            let error = await #expect(throws: HTTPError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.reach == .maybeSent)
        }
    }

    @Test func `cancels that race with the start all end their request`() async throws {
        try await exchange(ScriptedServer.always(.hold)) { transport, server in
            let codes = await withTaskGroup(of: HTTPError.Code?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        do throws(HTTPError) {
                            _ = try await transport.send(get(server.url))
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                group.cancelAll()
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count == 200)
            #expect(codes.allSatisfy { $0 == .cancelled })
        }
    }

    @Test func `shutting down ends what is under way, and what comes later`() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        let transport = CurlTransport()
        let task = Task { try await transport.send(get(server.url)) }
        await server.received(1)
        await transport.shutdown()
        await #expect(throws: HTTPError.self) { try await task.value }
        let error = await #expect(throws: HTTPError.self) { try await transport.send(get(server.url)) }
        #expect(error?.code == .closed)
        await transport.shutdown()
    }

    // MARK: - Secrets

    @Test func `neither a request nor an error shows path, query, header or credentials`() async throws {
        let url = "http://user:hunter2@127.0.0.1:1/hunter2?token=hunter2"
        let request = HTTPRequest(
            .post, url, headers: [("Authorization", "hunter2")], body: Array("hunter2".utf8), isRepeatable: false)
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
        var dumped = ""
        dump(request, to: &dumped)
        dump(error, to: &dumped)
        let texts = ["\(request)", String(reflecting: request), "\(String(describing: error))", dumped]
        #expect(texts.allSatisfy { !$0.contains("hunter2") })
        #expect(error?.description == "cannot connect to 127.0.0.1:1")
    }
}

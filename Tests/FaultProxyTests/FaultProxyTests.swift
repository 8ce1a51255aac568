import BotCore
import DemoZimmer
import FaultProxy
import Testing

/// What a client sees of each fault, and what the server behind it.
@Suite(.timeLimit(.minutes(10))) struct FaultProxyTests {
    private let server: DemoServer
    private let client = CurlTransport()

    init() throws {
        server = try DemoServer()
        server.update { _ = $0.addSession(id: 7, title: "Sync the wiki") }
    }

    private func proxy(_ rules: FaultPlan.Rule...) throws -> FaultProxy {
        try FaultProxy(to: server.port, plan: FaultPlan(rules), wait: 3, drip: 0.05)
    }

    private func send(
        _ method: BotCore.HTTPRequest.Method, _ path: String, through proxy: FaultProxy, body: String? = nil
    ) async -> Result<BotCore.HTTPResponse, HTTPError> {
        let headers = [
            (name: "X-API-Key", value: server.apiKey), (name: "Content-Type", value: "application/json"),
        ]
        // Not repeatable: each on a connection of its own, so that one fault is one answer.
        let request = BotCore.HTTPRequest(
            method, proxy.url + path, headers: headers, body: body.map { Array($0.utf8) },
            timeout: .milliseconds(500), isRepeatable: false, maximumBody: 1 << 20)
        do throws(HTTPError) {
            return .success(try await client.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func followUp(through proxy: FaultProxy) async -> Result<BotCore.HTTPResponse, HTTPError> {
        await send(.post, "/api/v1/sessions/7/follow_up", through: proxy, body: #"{"prompt": "Go on."}"#)
    }

    private var told: Int { server.state.sessions[7]?.conversation.count ?? 0 }

    @Test func `what meets no fault passes as it is, many requests on one connection`() async throws {
        let proxy = try proxy()
        for _ in 0..<20 {
            let request = BotCore.HTTPRequest(
                .get, "\(proxy.url)/api/v1/sessions", headers: [(name: "X-API-Key", value: server.apiKey)],
                isRepeatable: true)
            let answer = try await client.send(request)
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("Sync the wiki"))
        }
        #expect(server.requests.count == 20)
        #expect(proxy.requests == 20)
        #expect(proxy.strikes.isEmpty)
    }

    /// What the client makes of it: a status, or why there is none.
    private static let seen: [ProxyFault: String] = [
        .refused: "cut maybeSent", .reset: "cut maybeSent", .closedBefore: "cut maybeSent",
        .closedAfter: "cut maybeSent", .timeout: "timeout maybeSent", .late: "cut maybeSent", .serverError: "500",
        .serverErrorAfter: "500", .badGateway: "502", .badGatewayAfter: "502", .truncatedBody: "cut maybeSent",
        .garbage: "garbled maybeSent", .halfHeader: "cut maybeSent", .busyByHeader: "429", .busyByBody: "429",
        .loginRedirect: "302", .loginPage: "200", .hugeBody: "tooLarge maybeSent", .slowBody: "timeout maybeSent",
    ]

    @Test(arguments: ProxyFault.allCases)
    func `a fault is seen by the client, and by the server only where it has an effect`(fault: ProxyFault) async throws
    {
        let proxy = try proxy(FaultPlan.Rule("POST", "/api/v1/sessions/*/follow_up", [fault], times: 1))
        let seen =
            switch await followUp(through: proxy) {
            case .success(let answer): "\(answer.status)"
            case .failure(let error): "\(error.code.rawValue) \(error.reach.rawValue)"
            }
        #expect(seen == Self.seen[fault])
        if fault == .late { try await server.request(matching: .followUp) }
        #expect(told == (fault.hasEffect ? 1 : 0))
        let marks = server.received(.followUp).map { $0.request.header(FaultProxy.header) }
        #expect(marks == (fault.hasEffect ? [fault.rawValue] : []))
        await proxy.rest()
        #expect(proxy.strikes.map(\.fault) == [fault])

        // Nobody may be listening yet.
        var next = await followUp(through: proxy)
        while case .failure(let error) = next, error.code == .connect { next = await followUp(through: proxy) }
        #expect((try? next.get())?.status == (fault.hasEffect ? 202 : 200))
    }

    @Test func `what is kept back goes on when it is released, after its client has gone`() async throws {
        let proxy = try FaultProxy(
            to: server.port, plan: FaultPlan([FaultPlan.Rule("POST", nil, [.late], times: 1)]), keepsLate: true)
        let first = await followUp(through: proxy)
        #expect(throws: HTTPError.self) { try first.get() }
        #expect(try await followUp(through: proxy).get().status == 200)
        #expect(told == 1)
        proxy.releaseLate()
        try await server.request(2, matching: .followUp)
        #expect(server.state.queue.count == 1)
    }

    @Test func `a 429 says how long to wait where it is told to say it`() async throws {
        let proxy = try proxy(
            FaultPlan.Rule("POST", nil, [.busyByHeader], times: 1), FaultPlan.Rule("POST", nil, [.busyByBody], times: 1)
        )
        let header = try await followUp(through: proxy).get()
        #expect(header.header("retry-after") == "3")
        let body = try await followUp(through: proxy).get()
        #expect(body.header("retry-after") == nil)
        #expect(String(decoding: body.body, as: UTF8.self).contains(#""retry_after":3"#))
    }

    @Test func `for a moment after a refusal nobody listens, and then somebody does`() async throws {
        let proxy = try proxy(FaultPlan.Rule("GET", nil, [.refused], times: 1))
        _ = await send(.get, "/up", through: proxy)
        var codes: Set<HTTPError.Code> = []
        while true {
            switch await send(.get, "/up", through: proxy) {
            case .success(let answer):
                #expect(answer.status == 200)
                #expect(codes.isSubset(of: [.connect, .cut]))
                return
            case .failure(let error):
                codes.insert(error.code)
                if error.code == .connect { #expect(error.reach == .notSent) }
            }
        }
    }

    @Test func `a proxy that stops ends what it holds`() async throws {
        let proxy = try proxy(FaultPlan.Rule(nil, nil, [.timeout]))
        async let answer = send(.get, "/up", through: proxy)
        try await server.request(matching: RequestPattern("GET", "/up"))
        proxy.stop()
        let held = await answer
        #expect(throws: HTTPError.self) { try held.get() }
        let late = await send(.get, "/up", through: proxy)
        #expect(throws: HTTPError.self) { try late.get() }
    }

    // MARK: - The plan

    private static func fates(seed: UInt64) -> [ProxyFault?] {
        var plan = FaultPlan([FaultPlan.Rule(nil, nil, ProxyFault.allCases, probability: 0.2)], seed: seed)
        return (0..<2_000).map { _ in plan.draw("GET", "/api/v1/sessions") }
    }

    @Test func `a seed decides what becomes of each request`() {
        #expect(Self.fates(seed: 1) == Self.fates(seed: 1))
        #expect(Self.fates(seed: 1) != Self.fates(seed: 2))
        let hit = Self.fates(seed: 3).compactMap(\.self)
        #expect((300...500).contains(hit.count))
        #expect(Set(hit) == Set(ProxyFault.allCases))
    }

    @Test func `the first rule that matches and is not used up counts`() {
        var plan = FaultPlan([
            FaultPlan.Rule("PATCH", "/api/v1/sessions/*/notes", [.timeout], times: 1),
            FaultPlan.Rule("PATCH", nil, [.reset]), FaultPlan.Rule(nil, "/up", [.garbage], probability: 0),
        ])
        #expect(plan.draw("GET", "/up") == nil)
        #expect(plan.draw("PATCH", "/api/v1/sessions/7/notes?x=1") == .timeout)
        #expect(plan.draw("PATCH", "/api/v1/sessions/7/notes") == .reset)
        #expect(plan.draw("PATCH", "/api/v1/sessions/7") == .reset)
        #expect(plan.draw("POST", "/api/v1/sessions/7/notes") == nil)
    }
}

import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Testing

@testable import BotCore

@Suite struct SignInTests {
    private func failure(_ body: () async throws -> some Any) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? SignInError)?.name ?? "\(error)"
        }
    }

    @Test func `a token is used until its last minute, and then there is another`() async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        let signIn = try stage.holder()
        stage.server.advance(by: .minutes(59))
        #expect(try await signIn.pair() == first)
        stage.server.advance(by: .seconds(1))
        let second = try await signIn.pair()
        #expect(second.access != first.access)
        #expect(second.refresh != first.refresh)
        #expect(try stage.store.load()?.pair == second)
        // Another process goes on with it.
        stage.server.advance(by: .minutes(60))
        #expect(try await stage.holder().pair().access != second.access)
        #expect(stage.presented.map(\.token) == [first, second].map { $0.refresh.secret.exposed })
    }

    @Test func `twenty who ask at once share one refresh`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let signIn = try stage.holder()
        stage.server.advance(by: .hours(1))
        stage.server.inject(.hold(nil), on: .token)
        let pairs = try await withThrowingTaskGroup(of: TokenPair.self) { group in
            for _ in 0..<20 { group.addTask { try await signIn.pair() } }
            try await stage.server.request(2, matching: .token)
            stage.server.releaseHeld()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(pairs.count == 1)
        #expect(stage.presented.count == 1)
    }

    @Test func `who gives up waiting does not end the refresh`() async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        let signIn = try stage.holder()
        stage.server.advance(by: .hours(1))
        stage.server.inject(.hold(nil), on: .token)
        let waiting = Task { try await signIn.pair() }
        try await stage.server.request(2, matching: .token)
        waiting.cancel()
        stage.server.releaseHeld()
        _ = await waiting.result
        await signIn.settle()
        let kept = try #require(try stage.store.load()?.pair)
        #expect(kept != first)
        #expect(try await signIn.pair() == kept)
    }

    // MARK: - Answers that get lost

    @Test func `a lost answer is asked for again at once, with the same token`() async throws {
        let stage = try SignInStage { $0.oauth.reuse = .forgivesLostAnswers }
        let first = try await stage.signIn()
        stage.server.advance(by: .hours(1))
        stage.server.inject(.loseAnswer, on: .token)
        let second = try await stage.holder().pair()
        #expect(second.access != first.access)
        #expect(stage.presented.map(\.token) == [String](repeating: first.refresh.secret.exposed, count: 2))
        #expect(stage.server.state.oauth.connections.map(\.isRevoked) == [false])
    }

    @Test func `where Zimmer does not forgive that, a person has to approve again`() async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        stage.server.advance(by: .hours(1))
        stage.server.inject(.loseAnswer, on: .token)
        let signIn = try stage.holder()
        #expect(await failure { try await signIn.pair() } == "ended")
        #expect(await signIn.standing.state == .expired)
        // It came within the minute, so the connection was not ended for theft.
        #expect(stage.server.state.oauth.connections.map(\.isRevoked) == [false])
        #expect(!stage.file.contains(first.refresh.secret.exposed))
        #expect(await failure { try await stage.holder().pair() } == "ended")
        #expect(stage.presented.count == 2)
    }

    @Test(arguments: [Fault.Effect.loseAnswer, .answer(.gatewayTimeout), .cutBody(after: 20)])
    func `after a minute without an answer the token is not presented again by itself`(effect: Fault.Effect)
        async throws
    {
        let stage = try SignInStage { $0.oauth.reuse = .forgivesLostAnswers }
        let first = try await stage.signIn()
        stage.server.advance(by: .hours(1))
        stage.server.inject(effect, on: .token, times: nil)
        let signIn = try stage.holder()
        #expect(await failure { try await signIn.pair() } == "in doubt")
        let times = stage.presented
        #expect(times.count > 2)
        #expect(times.allSatisfy { $0.token == first.refresh.secret.exposed })
        #expect(times.last!.at - times[0].at < .seconds(60))
        stage.server.clearFaults()
        stage.server.advance(by: .minutes(10))
        #expect(await failure { try await signIn.pair() } == "in doubt")
        let restarted = try stage.holder()
        #expect(await failure { try await restarted.pair() } == "in doubt")
        #expect(await restarted.standing.state == .inDoubt)
        #expect(stage.presented.count == times.count)
        // An operator decides that it may be tried.
        #expect(try await restarted.presentAgain().level == .acting)
        #expect(await restarted.standing.state == .ok)
    }

    @Test func `a token whose time is not up serves while a refresh is in doubt`() async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        stage.server.advance(by: .seconds(59 * 60 + 2))
        stage.server.inject(.loseAnswer, on: .token, times: nil)
        let signIn = try stage.holder()
        #expect(try await signIn.pair() == first)
    }

    @Test(arguments: [(20, nil), (70, "in doubt")])
    func `killed in the middle of a refresh, the next process knows how old the doubt is`(
        seconds: Int, outcome: String?
    ) async throws {
        let stage = try SignInStage { $0.oauth.reuse = .forgivesLostAnswers }
        try await stage.signIn()
        stage.server.advance(by: .hours(1))
        stage.server.inject(.hold(nil), on: .token)
        let killed = try stage.holder()
        let waiting = Task { try await killed.pair() }
        try await stage.server.request(2, matching: .token)
        let file = try Data(contentsOf: URL(filePath: stage.store.path))
        stage.server.advance(by: .seconds(seconds))
        let next = try stage.holder()
        #expect(await failure { try await next.pair() } == outcome)
        #expect(stage.presented.count == (outcome == nil ? 2 : 1))
        #expect(String(decoding: file, as: UTF8.self).contains("doubted_since"))
        stage.server.releaseHeld()
        _ = await waiting.result
    }

    @Test func `a pair that cannot be stored is not used, and is stored when that works again`() async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        stage.server.advance(by: .seconds(59 * 60 + 2))
        // The disk fills up between the request and its answer.
        let obstacle = stage.store.path + ".new"
        stage.server.inject(
            .alter { _ in
                try? FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            }, on: .token)
        let signIn = try stage.holder()
        #expect(try await signIn.pair() == first)
        #expect(await failure { try await signIn.pair() } == "store")
        #expect(stage.file.contains("doubted_since"))
        try FileManager.default.removeItem(atPath: obstacle)
        let second = try await signIn.pair()
        #expect(second != first)
        #expect(try stage.store.load()?.pair == second)
        #expect(stage.presented.count == 1)
    }

    @Test func `nothing is presented where the intent cannot be written down`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        stage.server.advance(by: .hours(1))
        let signIn = try stage.holder()
        try FileManager.default.createDirectory(
            atPath: stage.store.path + ".new", withIntermediateDirectories: false)
        #expect(await failure { try await signIn.pair() } == "store")
        #expect(stage.presented.isEmpty)
    }

    // MARK: - Answers that are none

    @Test(
        arguments: [
            HTTPResponse.internalError, .databaseBusy, .badGateway, .edgeRedirect, .edgeForbidden, .edgeUnauthorized,
            .tooManyRequests(retryAfter: 60), .tunnelNotFound,
            .refusal(400, "invalid_request", "Something is missing"),
        ].map { $0 as DemoZimmer.HTTPResponse })
    func `what is no end of it keeps the tokens`(answer: DemoZimmer.HTTPResponse) async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        stage.server.advance(by: .hours(1))
        stage.server.inject(.answer(answer), on: .token)
        let signIn = try stage.holder()
        let failed = await failure { try await signIn.pair() }
        #expect(failed?.hasPrefix("failed: ") == true, "\(failed ?? "")")
        #expect(stage.presented.count == 1)
        #expect(!stage.file.contains("doubted_since"))
        stage.server.advance(by: .hours(2))
        #expect(try await signIn.pair() != first)
        #expect(await signIn.standing == SignInStanding(.ok, .acting))
    }

    @Test func `a Zimmer that is away takes nothing`() async throws {
        let stage = try SignInStage()
        let first = try await stage.signIn()
        let signIn = SignIn(stage.store, at: try stage.place(at: "http://127.0.0.1:1"), clock: stage.clock)
        #expect(await failure { try await signIn.pair() } == "foreign")
        try stage.store.save(
            SignInRecord(
                client: .zimmerIOS, server: "http://127.0.0.1:1", signedInAt: stage.clock.now(),
                state: .active(first, doubtedSince: nil)))
        stage.server.advance(by: .hours(1))
        let away = SignIn(stage.store, at: try stage.place(at: "http://127.0.0.1:1"), clock: stage.clock)
        #expect(await failure { try await away.pair() } == "failed: transport")
        #expect(!stage.file.contains("doubted_since"))
    }

    @Test func `only Zimmer's word ends a sign-in`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        stage.server.update { $0.oauth.connections[0].revoke() }
        stage.server.advance(by: .hours(1))
        let signIn = try stage.holder()
        #expect(await failure { try await signIn.pair() } == "ended")
        let standing = await signIn.standing
        #expect(standing.state == .expired)
        #expect(standing.problem?.contains("invalid_grant") == true)
        #expect(standing.problem?.contains("zimmer-bot login") == true)
        try await stage.signIn()
        #expect(try await stage.holder().pair().level == .acting)
    }

    @Test func `a refresh token that nobody used in time is over`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        stage.server.advance(by: .days(179))
        let signIn = try stage.holder()
        _ = try await signIn.pair()
        stage.server.advance(by: .days(181))
        #expect(await failure { try await signIn.pair() } == "ended")
    }

    @Test func `the level is what Zimmer said last`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let signIn = try stage.holder()
        #expect(await signIn.standing.level == .acting)
        stage.server.update { $0.oauth.connections[0].actsForPerson = false }
        stage.server.advance(by: .hours(1))
        #expect(try await signIn.pair().level == .relay)
        #expect(await signIn.standing.level == .relay)
        #expect(try stage.store.load()?.pair?.level == .relay)
    }

    // MARK: - Whose it is

    @Test func `without a sign-in there is none, and it is said how to get one`() async throws {
        let stage = try SignInStage()
        let signIn = try stage.holder()
        #expect(await failure { try await signIn.pair() } == "none")
        #expect(await signIn.standing.state == .expired)
        #expect(await signIn.standing.problem?.contains("zimmer-bot login") == true)
    }

    @Test func `tokens go to the server and for the client that they were made for`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let other = SignIn(stage.store, at: try stage.place(.registered("zmc_1")), clock: stage.clock)
        #expect(await failure { try await other.pair() } == "foreign")
        let signIn = try stage.holder()
        _ = try await signIn.pair()
        await signIn.move(to: try stage.place(at: "http://localhost:\(stage.server.port)"))
        #expect(await failure { try await signIn.pair() } == "foreign")
        #expect(await signIn.standing.state == .unusable)
        await signIn.move(to: try stage.place())
        #expect(await signIn.standing.state == .ok)
    }
}

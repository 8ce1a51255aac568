import AdapterKit
import BotTestSupport
import CEL
import DemoZimmer
import Testing

@testable import BotCore

@Suite struct ActingClientTests {
    private static let pull = "https://github.com/acme/web/pull/7"

    private func heard(_ text: String, by sender: String? = "@pat:example.org") -> ChatEvent {
        ChatEvent(
            id: "1", channel: "ops", sender: sender, senderName: "Pat", time: WallTime(seconds: 0), content: .text(text)
        )
    }

    @Test func `a merge is authorized as the person, once`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let session = stage.sessionToMerge()
        let actor = try stage.actor(stage.holder())
        let first = await actor.perform(.authorizeMerge(session: Int64(session)))
        let told = "Session \(session) has been told to merge \(Self.pull)."
        #expect(first.words == "done: Merge authorized. \(told)")
        let again = await actor.perform(.authorizeMerge(session: Int64(session)))
        #expect(again.words.hasPrefix("done: Merge already authorized"))
        let messages = try #require(stage.server.state.sessions[session]?.humanMessages)
        #expect(messages.map(\.author) == ["Pat"])
    }

    @Test func `an act carries the token and no key, and everything else the key and no token`() async throws {
        let stage = try SignInStage(edge: EdgePass(try EdgeToken("edge_hunter2")))
        let pair = try await stage.signIn()
        let session = Int64(stage.sessionToMerge())
        let words = try #require(PersonsWords(heard("Squash it.")))
        let actor = try stage.actor(stage.holder())
        _ = await actor.perform(.authorizeMerge(session: session))
        _ = await actor.perform(.followUp(session: session, words))
        let acts = stage.server.writes.filter { $0.request.path.first == "api" }
        #expect(acts.count == 2)
        for act in acts {
            #expect(act.request.header("authorization") == "Bearer \(pair.access.secret.exposed)")
            #expect(act.request.header("x-api-key") == nil)
            #expect(act.request.header("cf-access-token") == "edge_hunter2")
            #expect(act.request.header("x-zimmer-client") == "zimmer-bot/1.2.3")
        }
        let client = ZimmerClient(
            try stage.endpoint().wire, key: APIKey(stage.server.apiKey), allowed: Set(ZimmerCall.allCases))
        _ = await client.perform(.followUp(session: session, prompt: "Squash it.", goal: nil))
        let plain = try #require(stage.server.writes.last)
        #expect(plain.request.header("authorization") == nil)
        #expect(plain.request.header("x-api-key") == stage.server.apiKey)
        #expect(stage.server.state.sessions[Int(session)]?.humanMessages.map(\.content).last == "Squash it.")
        #expect(stage.server.state.sessions[Int(session)]?.humanMessages.count == 2)
    }

    // MARK: - Whose words

    @Test func `words are what a person wrote, to the byte`() throws {
        let words = try #require(PersonsWords(heard("!reply #7  Squash\u{301} it.\n")))
        #expect(words.text.utf8.elementsEqual("!reply #7  Squash\u{301} it.\n".utf8))
        #expect(PersonsWords(heard("!reply #7 Squash it."), after: 10)?.text == "Squash it.")
        #expect(PersonsWords(heard(" \n"), after: 0) == nil)
        #expect(PersonsWords(heard("!reply"), after: 6) == nil)
        #expect(PersonsWords(heard("!reply"), after: 60) == nil)
        #expect(PersonsWords(heard("é"), after: 1) == nil)
        #expect(PersonsWords(heard("Squash it.", by: nil)) == nil)
        var reaction = heard("")
        reaction.content = .reaction("👍", message: "1")
        #expect(PersonsWords(reaction) == nil)
    }

    @Test func `the words of another do not travel as this person's`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let session = Int64(stage.sessionToMerge())
        let words = try #require(PersonsWords(heard("Squash it.", by: "@eve:example.org")))
        let outcome = await (try stage.actor(stage.holder())).perform(.followUp(session: session, words))
        #expect(outcome.words.hasPrefix("refused: "))
        #expect(stage.server.received(.followUp).isEmpty)
    }

    @Test func `what no rule needs is not done as a person either`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let actor = try stage.actor(stage.holder(), allowed: [.followUp])
        let outcome = await actor.perform(.authorizeMerge(session: 7))
        #expect(outcome.words.contains("is not one that the loaded rules need"))
        #expect(stage.server.received(.authorizeMerge).isEmpty)
    }

    // MARK: - Refusals

    @Test func `a token that is refused before its time is replaced, once`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let session = Int64(stage.sessionToMerge())
        let signIn = try stage.holder()
        let actor = try stage.actor(signIn)
        stage.server.inject(
            .answer(.refusal(401, "Unauthorized", "Invalid or expired access token")), on: .authorizeMerge)
        #expect(await actor.perform(.authorizeMerge(session: session)).words.hasPrefix("done: "))
        #expect(stage.presented.count == 1)

        stage.server.inject(
            .answer(.refusal(401, "Unauthorized", "Invalid or expired access token")), on: .authorizeMerge, times: 2)
        let outcome = await actor.perform(.authorizeMerge(session: session))
        #expect(outcome.words.hasPrefix("refused: Zimmer answered 401: Zimmer does not open 'authorize_merge'"))
        #expect(outcome.words.contains("acts on the person's behalf"))
        #expect(stage.presented.count == 2)
        #expect(await signIn.standing.state == .ok)
        #expect(await actor.perform(.authorizeMerge(session: session)).words.hasPrefix("done: "))
    }

    @Test func `a level that is too low is said, and a change of it counts at once`() async throws {
        let stage = try SignInStage()
        try await stage.signIn(actsForPerson: false)
        let session = Int64(stage.sessionToMerge())
        let signIn = try stage.holder()
        let actor = try stage.actor(signIn)
        let outcome = await actor.perform(.authorizeMerge(session: session))
        #expect(outcome.words.hasPrefix("refused: Zimmer answered 403: This sign-in relays"))
        #expect(outcome.words.contains("the sign-in is relay only, and it needs one that acts on the person's behalf"))
        #expect(await signIn.standing.state == .ok)
        stage.server.update { $0.oauth.connections[0].actsForPerson = true }
        #expect(await actor.perform(.authorizeMerge(session: session)).words.hasPrefix("done: "))
        #expect(stage.presented.isEmpty)
    }

    @Test func `what Zimmer refuses is refused in its words`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let session = stage.sessionToMerge()
        stage.server.update { $0.edit(session) { $0.pullRequests[0].ci = .fail } }
        let actor = try stage.actor(stage.holder())
        let outcome = await actor.perform(.authorizeMerge(session: Int64(session)))
        #expect(outcome.words == "refused: Zimmer answered 422: Cannot merge: CI is fail.")
        stage.server.inject(.answer(.routeNotFound), on: .authorizeMerge)
        let old = await actor.perform(.authorizeMerge(session: Int64(session)))
        #expect(old.words.contains("this Zimmer does not know 'authorize_merge' yet"))
    }

    @Test func `a lost answer is one, and an edge or a Zimmer that is away is waited for`() async throws {
        let stage = try SignInStage()
        try await stage.signIn()
        let session = Int64(stage.sessionToMerge())
        let actor = try stage.actor(stage.holder())
        stage.server.inject(.loseAnswer, on: .authorizeMerge)
        #expect(await actor.perform(.authorizeMerge(session: session)).words.hasPrefix("lost: "))
        for answer in [HTTPResponse.edgeRedirect, .edgeForbidden, .edgeUnauthorized, .databaseBusy] {
            stage.server.inject(.answer(answer as DemoZimmer.HTTPResponse), on: .authorizeMerge)
            #expect(await actor.perform(.authorizeMerge(session: session)).words.hasPrefix("retry: "))
        }
        #expect(stage.presented.isEmpty)
        // The refresh before it is what fails: the call itself was not made, so nothing has to be read back.
        stage.server.advance(by: .hours(1))
        stage.server.inject(.answer(.badGateway), on: .token)
        let calls = stage.server.received(.authorizeMerge).count
        #expect(await actor.perform(.authorizeMerge(session: session)).words.hasPrefix("retry: "))
        #expect(stage.server.received(.authorizeMerge).count == calls)
    }

    @Test func `without a sign-in nothing is sent, and it does not wait for one`() async throws {
        let stage = try SignInStage()
        let outcome = await (try stage.actor(stage.holder())).perform(.authorizeMerge(session: 7))
        #expect(outcome.words.hasPrefix("refused: nobody has signed in to Zimmer"))
        #expect(stage.server.requests.count == 0)
    }

    @Test func `a registered client is told from the app before anything is sent`() async throws {
        let stage = try SignInStage()
        let client = try await stage.endpoint().register("zimmer-bot", redirect: SignInClient.registeredRedirect)
        let pair = try await stage.signIn(client)
        #expect(pair.level == .acting)
        let signIn = try stage.holder(client)
        #expect(try await signIn.pair() == pair)
        let outcome = await (try stage.actor(signIn, as: client)).perform(.authorizeMerge(session: 7))
        #expect(outcome.words.hasPrefix("refused: a sign-in of a registered client opens /mcp only"))
        #expect(stage.server.received(.authorizeMerge).isEmpty)
    }

    @Test(arguments: [401, 422, 500])
    func `a server that repeats the token does not make it seen`(status: Int) async throws {
        let stage = try SignInStage()
        let pair = try await stage.signIn()
        let text = "start \(pair.access.secret.exposed) end"
        stage.server.inject(.answer(.refusal(status, text, text)), on: .authorizeMerge, times: 2)
        let outcome = await (try stage.actor(stage.holder())).perform(.authorizeMerge(session: 7))
        #expect(!outcome.words.contains("zmr_"))
    }
}

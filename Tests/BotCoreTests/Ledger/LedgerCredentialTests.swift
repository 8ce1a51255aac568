import CEL
import Rules
import Testing

@testable import BotCore

/// Credentials that need a person: one notice for each, and one when it is over.
@Suite struct LedgerCredentialTests {
    private let rules = """
          - name: sign-in
            watch: zimmer
            if: zimmer.sign_in == "expired"
            do: [{post: ops, text: somebody has to sign in}]
        """

    private func stage() throws -> LedgerStage { try LedgerStage(rules) }

    private func said(_ stage: LedgerStage, _ beginning: String) async throws -> [String] {
        try await stage.waiting().filter { $0.contains(beginning) }
    }

    @Test func `an edge token that ends soon is said once a day, and that it is over`() async throws {
        let stage = try stage()
        let expiry = stage.clock.now() + .seconds(86_000)
        await stage.ledger.note(CredentialReport(edgeExpiry: expiry))
        for _ in 1...5 { try await stage.board([7: "running"]) }
        #expect(try await said(stage, "The edge token for Zimmer expires at").count == 1)
        try stage.restart(after: .seconds(600))
        await stage.ledger.note(CredentialReport(edgeExpiry: expiry))
        for _ in 1...5 { try await stage.board([7: "running"]) }
        #expect(try await said(stage, "The edge token").count == 1)
        await stage.ledger.note(CredentialReport(edgeExpiry: expiry + .seconds(2_600_000)))
        try await stage.board([7: "running"])
        #expect(try await said(stage, "Over: The edge token for Zimmer expires at").count == 1)
    }

    @Test func `a sign-in that ended is a notice and what rules see, until there is another`() async throws {
        let stage = try stage()
        let ended = SignInStanding(.expired, nil, "Zimmer has ended it")
        await stage.ledger.note(CredentialReport(signIn: SignInStanding(.ok, .acting)))
        try await stage.board([7: "running"])
        #expect(try await stage.waiting().isEmpty)
        await stage.ledger.note(CredentialReport(signIn: ended))
        for _ in 1...3 { try await stage.board([7: "running"]) }
        #expect(try await said(stage, "Nothing can be done as a person in Zimmer: Zimmer has ended it").count == 1)
        #expect(try await said(stage, "somebody has to sign in").count == 1)
        await stage.ledger.note(CredentialReport(signIn: SignInStanding(.ok, .acting)))
        try await stage.board([7: "running"])
        #expect(try await said(stage, "Over: Nothing can be done as a person").count == 1)
    }

    @Test func `a refused key is seen whatever the sign-in is`() async throws {
        let stage = try stage()
        await stage.ledger.note(CredentialReport(signIn: SignInStanding(.ok, .acting)))
        try await stage.board([7: "running"])
        let now = stage.clock.now()
        let refused = ZimmerError(.signIn, status: 401, message: "no")
        await stage.ledger.note(reading: "board", error: refused, problem: "no", at: now)
        #expect(await stage.ledger.observation.standing.signIn == .expired)
        await stage.ledger.note(CredentialReport(signIn: SignInStanding(.edgeRefused, .acting, "x")))
        #expect(await stage.ledger.observation.standing.signIn == .expired)
        await stage.ledger.note(reading: "board", error: nil, problem: nil, at: now)
        #expect(await stage.ledger.observation.standing.signIn == .edgeRefused)
        await stage.ledger.note(CredentialReport())
        #expect(await stage.ledger.observation.standing.signIn == .ok)
    }
}
